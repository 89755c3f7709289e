# Where the examples find the mock server, and what they log in with: . ./env.sh
export MOCK=http://127.0.0.1:8377
export GRAFANA_URL=$MOCK/grafana
export GRAFANA_API_KEY=grafana-key
export ALERTMANAGER_URL=$MOCK/alertmanager
export PROMETHEUS_URL=$MOCK/prometheus
export UNLEASH_URL=$MOCK/unleash
export UNLEASH_TOKEN=unleash-token
export VAULT_ADDR=$MOCK/vault
export VAULT_TOKEN=vault-token
export K8S_URL=$MOCK/k8s
export K8S_TOKEN=k8s-token
export TICKETS_URL=$MOCK/tickets
export TICKETS_TOKEN=tickets-token
