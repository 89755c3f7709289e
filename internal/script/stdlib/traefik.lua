--- @module assay.traefik
--- @description Traefik reverse proxy. Routers, services, middlewares, entry points, TLS, version, raw configuration.
--- @keywords traefik, proxy, reverse-proxy, ingress, routers, router, services, middlewares, entrypoints, load-balancer, tls, routing
--- @synonyms hostname, host, domain, url, path, backend, backends, servers, gateway, route, routes, load, balancer, redirect, https, certificate, protect, forward, traffic
--- @asked which router serves a host; which middlewares are used; is a backend down behind the proxy
--- @env TRAEFIK_URL
--- @quickref M.overview(url) -> overview | Get counts of routers, services and middlewares
--- @quickref M.version(url) -> version | Get the version of the server
--- @quickref M.entrypoints(url) -> [entrypoint] | List entry points
--- @quickref M.entrypoint(url, name) -> entrypoint | Get an entry point
--- @quickref M.http_routers(url) -> [router] | List HTTP routers
--- @quickref M.http_router(url, name) -> router | Get an HTTP router, as name@provider
--- @quickref M.http_services(url) -> [service] | List HTTP services
--- @quickref M.http_service(url, name) -> service | Get an HTTP service, as name@provider
--- @quickref M.http_middlewares(url) -> [middleware] | List HTTP middlewares
--- @quickref M.http_middleware(url, name) -> middleware | Get an HTTP middleware, as name@provider
--- @quickref M.tcp_routers(url) -> [router] | List TCP routers
--- @quickref M.tcp_services(url) -> [service] | List TCP services
--- @quickref M.rawdata(url) -> data | Get the whole dynamic configuration
--- @quickref M.is_router_enabled(url, name) -> bool | Is an HTTP router enabled
--- @quickref M.router_has_tls(url, name) -> bool | Does an HTTP router use TLS
--- @quickref M.service_server_count(url, name) -> number | Count the servers behind an HTTP service
--- @quickref M.healthy_routers(url) -> enabled, errored | Count HTTP routers that are enabled, and those that are not

-- Without a url every function uses TRAEFIK_URL.

local rest = require("assay._rest")

local M = {}

local api = rest.api("traefik")

local function get(url, pattern, ...)
  local client = { url = rest.base("traefik", url or env.get("TRAEFIK_URL"), "TRAEFIK_URL") }
  return api.get(client, api.path(pattern, ...))
end

function M.overview(url)
  return get(url, "/api/overview")
end

function M.version(url)
  return get(url, "/api/version")
end

function M.entrypoints(url)
  return get(url, "/api/entrypoints")
end

function M.entrypoint(url, name)
  return get(url, "/api/entrypoints/{}", name)
end

function M.http_routers(url)
  return get(url, "/api/http/routers")
end

function M.http_router(url, name)
  return get(url, "/api/http/routers/{}", name)
end

function M.http_services(url)
  return get(url, "/api/http/services")
end

function M.http_service(url, name)
  return get(url, "/api/http/services/{}", name)
end

function M.http_middlewares(url)
  return get(url, "/api/http/middlewares")
end

function M.http_middleware(url, name)
  return get(url, "/api/http/middlewares/{}", name)
end

function M.tcp_routers(url)
  return get(url, "/api/tcp/routers")
end

function M.tcp_services(url)
  return get(url, "/api/tcp/services")
end

function M.rawdata(url)
  return get(url, "/api/rawdata")
end

function M.is_router_enabled(url, name)
  return M.http_router(url, name).status == "enabled"
end

function M.router_has_tls(url, name)
  return not not M.http_router(url, name).tls
end

function M.service_server_count(url, name)
  return #((M.http_service(url, name).loadBalancer or {}).servers or {})
end

function M.healthy_routers(url)
  local enabled, errored = 0, 0
  for _, router in ipairs(M.http_routers(url) or {}) do
    if router.status == "enabled" then
      enabled = enabled + 1
    else
      errored = errored + 1
    end
  end
  return enabled, errored
end

return M
