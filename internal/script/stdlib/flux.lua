--- @module assay.flux
--- @description Flux CD GitOps on Kubernetes. Git, Helm and OCI sources, kustomizations, Helm releases, notifications, images.
--- @keywords flux, fluxcd, gitops, kustomization, helm, helmrelease, gitrepository, sources, reconcile, deployment, kubernetes
--- @synonyms chart, charts, release, releases, suspend, resume, repository, rollout, deploy, redeploy, drift, upgrade, version, installed
--- @asked is everything in git applied; reconcile a kustomization; which Helm release failed; suspend a source
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:git_repositories(namespace) -> {items} | List Git repositories
--- @quickref c:git_repository(namespace, name) -> repo or nil | Get a Git repository
--- @quickref c:is_git_repo_ready(namespace, name) -> bool | Is a Git repository ready
--- @quickref c:helm_repositories(namespace) -> {items} | List Helm repositories
--- @quickref c:helm_repository(namespace, name) -> repo or nil | Get a Helm repository
--- @quickref c:is_helm_repo_ready(namespace, name) -> bool | Is a Helm repository ready
--- @quickref c:helm_charts(namespace) -> {items} | List Helm charts
--- @quickref c:oci_repositories(namespace) -> {items} | List OCI repositories
--- @quickref c:kustomizations(namespace) -> {items} | List kustomizations
--- @quickref c:kustomization(namespace, name) -> ks or nil | Get a kustomization
--- @quickref c:is_kustomization_ready(namespace, name) -> bool | Is a kustomization ready
--- @quickref c:kustomization_status(namespace, name) -> {ready, revision, last_applied_revision, conditions} or nil | Get the status of a kustomization
--- @quickref c:helm_releases(namespace) -> {items} | List Helm releases
--- @quickref c:helm_release(namespace, name) -> hr or nil | Get a Helm release
--- @quickref c:is_helm_release_ready(namespace, name) -> bool | Is a Helm release ready
--- @quickref c:helm_release_status(namespace, name) -> {ready, revision, last_applied_revision, conditions} or nil | Get the status of a Helm release
--- @quickref c:alerts(namespace) -> {items} | List alerts for events
--- @quickref c:providers_list(namespace) -> {items} | List providers of notifications
--- @quickref c:receivers(namespace) -> {items} | List webhook receivers
--- @quickref c:image_policies(namespace) -> {items} | List image policies
--- @quickref c:all_sources_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count Git and Helm repositories that are ready
--- @quickref c:all_kustomizations_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count kustomizations that are ready
--- @quickref c:all_helm_releases_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count Helm releases that are ready

local rest = require("assay._rest")
local kube = require("assay._kube")

local M = {}
local c = {}
c.__index = c

local api = kube.api("flux")
local find, list, path = api.find, api.list, api.path

local SOURCE = "/apis/source.toolkit.fluxcd.io/v1/namespaces/{}/"
local OCI = "/apis/source.toolkit.fluxcd.io/v1beta2/namespaces/{}/"
local KUSTOMIZE = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/{}/"
local HELM = "/apis/helm.toolkit.fluxcd.io/v2/namespaces/{}/"
local NOTIFICATION = "/apis/notification.toolkit.fluxcd.io/v1beta3/namespaces/{}/"
local RECEIVER = "/apis/notification.toolkit.fluxcd.io/v1/namespaces/{}/"
local IMAGE = "/apis/image.toolkit.fluxcd.io/v1beta2/namespaces/{}/"

local function status(object)
  if not object then
    return nil
  end
  return {
    ready = kube.holds(object, "Ready"),
    revision = kube.status(object).lastAttemptedRevision or "",
    last_applied_revision = kube.status(object).lastAppliedRevision,
    conditions = kube.conditions(object),
  }
end

function M.client(url, token)
  return kube.client("flux", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
end

function c:git_repositories(namespace)
  return list(self, path(SOURCE .. "gitrepositories", namespace))
end

function c:git_repository(namespace, name)
  return find(self, path(SOURCE .. "gitrepositories/{}", namespace, name))
end

function c:is_git_repo_ready(namespace, name)
  return kube.holds(self:git_repository(namespace, name), "Ready")
end

function c:helm_repositories(namespace)
  return list(self, path(SOURCE .. "helmrepositories", namespace))
end

function c:helm_repository(namespace, name)
  return find(self, path(SOURCE .. "helmrepositories/{}", namespace, name))
end

function c:is_helm_repo_ready(namespace, name)
  return kube.holds(self:helm_repository(namespace, name), "Ready")
end

function c:helm_charts(namespace)
  return list(self, path(SOURCE .. "helmcharts", namespace))
end

function c:oci_repositories(namespace)
  return list(self, path(OCI .. "ocirepositories", namespace))
end

function c:kustomizations(namespace)
  return list(self, path(KUSTOMIZE .. "kustomizations", namespace))
end

function c:kustomization(namespace, name)
  return find(self, path(KUSTOMIZE .. "kustomizations/{}", namespace, name))
end

function c:is_kustomization_ready(namespace, name)
  return kube.holds(self:kustomization(namespace, name), "Ready")
end

function c:kustomization_status(namespace, name)
  return status(self:kustomization(namespace, name))
end

function c:helm_releases(namespace)
  return list(self, path(HELM .. "helmreleases", namespace))
end

function c:helm_release(namespace, name)
  return find(self, path(HELM .. "helmreleases/{}", namespace, name))
end

function c:is_helm_release_ready(namespace, name)
  return kube.holds(self:helm_release(namespace, name), "Ready")
end

function c:helm_release_status(namespace, name)
  return status(self:helm_release(namespace, name))
end

function c:alerts(namespace)
  return list(self, path(NOTIFICATION .. "alerts", namespace))
end

function c:providers_list(namespace)
  return list(self, path(NOTIFICATION .. "providers", namespace))
end

function c:receivers(namespace)
  return list(self, path(RECEIVER .. "receivers", namespace))
end

function c:image_policies(namespace)
  return list(self, path(IMAGE .. "imagepolicies", namespace))
end

function c:all_sources_ready(namespace)
  return kube.readiness(self:git_repositories(namespace), self:helm_repositories(namespace))
end

function c:all_kustomizations_ready(namespace)
  return kube.readiness(self:kustomizations(namespace))
end

function c:all_helm_releases_ready(namespace)
  return kube.readiness(self:helm_releases(namespace))
end

return rest.module("flux", M, "url string", "token string or table: token")
