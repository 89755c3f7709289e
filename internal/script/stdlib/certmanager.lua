--- @module assay.certmanager
--- @description cert-manager certificates on Kubernetes. Certificates, issuers, requests, ACME orders and challenges.
--- @keywords certmanager, cert-manager, certificates, certificate, tls, ssl, issuer, acme, letsencrypt, expiry, renewal, kubernetes
--- @synonyms cert, https, x509, expire, expires, renew, valid, days, issued, domain, ca, trust
--- @asked when does the certificate of an ingress expire; why is a certificate not issued; renew a certificate in the cluster; Let's Encrypt
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:certificates(namespace) -> {items} | List certificates
--- @quickref c:certificate(namespace, name) -> cert or nil | Get a certificate
--- @quickref c:certificate_status(namespace, name) -> {ready, not_after, not_before, renewal_time, revision, conditions} or nil | Get validity and renewal of a certificate
--- @quickref c:is_certificate_ready(namespace, name) -> bool | Is a certificate issued and up to date
--- @quickref c:wait_certificate_ready(namespace, name, timeout_secs) -> true | Wait until a certificate is ready (300 s)
--- @quickref c:issuers(namespace) -> {items} | List issuers
--- @quickref c:issuer(namespace, name) -> issuer or nil | Get an issuer
--- @quickref c:is_issuer_ready(namespace, name) -> bool | Is an issuer ready
--- @quickref c:cluster_issuers() -> {items} | List issuers of the cluster
--- @quickref c:cluster_issuer(name) -> issuer or nil | Get an issuer of the cluster
--- @quickref c:is_cluster_issuer_ready(name) -> bool | Is an issuer of the cluster ready
--- @quickref c:certificate_requests(namespace) -> {items} | List certificate requests
--- @quickref c:certificate_request(namespace, name) -> request or nil | Get a certificate request
--- @quickref c:is_request_approved(namespace, name) -> bool | Is a certificate request approved
--- @quickref c:orders(namespace) -> {items} | List ACME orders
--- @quickref c:order(namespace, name) -> order or nil | Get an ACME order
--- @quickref c:challenges(namespace) -> {items} | List ACME challenges
--- @quickref c:challenge(namespace, name) -> challenge or nil | Get an ACME challenge
--- @quickref c:all_certificates_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count certificates that are ready
--- @quickref c:all_issuers_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count issuers that are ready

local rest = require("assay._rest")
local kube = require("assay._kube")

local M = {}
local c = {}
c.__index = c

local api = kube.api("certmanager")
local find, path = api.find, api.path

local CERT = "/apis/cert-manager.io/v1"
local ACME = "/apis/acme.cert-manager.io/v1"

local function list(client, where)
  return api.list(client, where, { items = {} })
end

function M.client(url, token)
  return kube.client("certmanager", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
end

function c:certificates(namespace)
  return list(self, path(CERT .. "/namespaces/{}/certificates", namespace))
end

function c:certificate(namespace, name)
  return find(self, path(CERT .. "/namespaces/{}/certificates/{}", namespace, name))
end

function c:certificate_status(namespace, name)
  local cert = self:certificate(namespace, name)
  if not cert then
    return nil
  end
  local status = kube.status(cert)
  return {
    ready = kube.holds(cert, "Ready"),
    not_after = status.notAfter,
    not_before = status.notBefore,
    renewal_time = status.renewalTime,
    revision = status.revision,
    conditions = kube.conditions(cert),
  }
end

function c:is_certificate_ready(namespace, name)
  return kube.holds(self:certificate(namespace, name), "Ready")
end

function c:wait_certificate_ready(namespace, name, timeout_secs)
  local ready = rest.poll(timeout_secs or 300, 5, function()
    return self:is_certificate_ready(namespace, name)
  end)
  return ready or error("certmanager: timeout waiting for certificate " .. namespace .. "/" .. name .. " to be ready", 0)
end

function c:issuers(namespace)
  return list(self, path(CERT .. "/namespaces/{}/issuers", namespace))
end

function c:issuer(namespace, name)
  return find(self, path(CERT .. "/namespaces/{}/issuers/{}", namespace, name))
end

function c:is_issuer_ready(namespace, name)
  return kube.holds(self:issuer(namespace, name), "Ready")
end

function c:cluster_issuers()
  return list(self, CERT .. "/clusterissuers")
end

function c:cluster_issuer(name)
  return find(self, path(CERT .. "/clusterissuers/{}", name))
end

function c:is_cluster_issuer_ready(name)
  return kube.holds(self:cluster_issuer(name), "Ready")
end

function c:certificate_requests(namespace)
  return list(self, path(CERT .. "/namespaces/{}/certificaterequests", namespace))
end

function c:certificate_request(namespace, name)
  return find(self, path(CERT .. "/namespaces/{}/certificaterequests/{}", namespace, name))
end

function c:is_request_approved(namespace, name)
  return kube.holds(self:certificate_request(namespace, name), "Approved")
end

function c:orders(namespace)
  return list(self, path(ACME .. "/namespaces/{}/orders", namespace))
end

function c:order(namespace, name)
  return find(self, path(ACME .. "/namespaces/{}/orders/{}", namespace, name))
end

function c:challenges(namespace)
  return list(self, path(ACME .. "/namespaces/{}/challenges", namespace))
end

function c:challenge(namespace, name)
  return find(self, path(ACME .. "/namespaces/{}/challenges/{}", namespace, name))
end

function c:all_certificates_ready(namespace)
  return kube.readiness(self:certificates(namespace))
end

function c:all_issuers_ready(namespace)
  return kube.readiness(self:issuers(namespace))
end

return rest.module("certmanager", M, "url string", "token string or table: token")
