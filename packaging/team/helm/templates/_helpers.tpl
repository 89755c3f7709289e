{{- define "assay.name" -}}
{{- if eq .Release.Name "assay" -}}assay{{- else -}}{{ printf "%s-assay" .Release.Name | trunc 52 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "assay.files" -}}
team.yaml: |
  workspace: /etc/assay/work.yaml
  data: /data
  tokens: /etc/assay-tokens/tokens.txt
  {{- if .Values.tlsSecret }}
  tls: {cert: /etc/assay-tls/tls.crt, key: /etc/assay-tls/tls.key}
  {{- else }}
  plain: true
  {{- end }}
  {{- toYaml .Values.team | nindent 2 }}
work.yaml: |
  {{- toYaml .Values.workspace | nindent 2 }}
{{- end -}}
