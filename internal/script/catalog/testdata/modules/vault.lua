--- @module assay.vault
--- @description Vault secrets. Key-value secrets, policies, tokens, encryption and certificates.
--- @keywords vault, secrets, secret, kv, policies, tokens, encryption, rotate, rotation
--- @env VAULT_ADDR, VAULT_TOKEN
--- @quickref c:kv_get(mount, key) -> {data, metadata} | Read a secret
--- @quickref c:kv_put(mount, key, data) -> result | Write a new version of a secret

local M, c = {}, {}
c.__index = c
function M.client(url, token)
  return setmetatable({ url = url or env.get("VAULT_ADDR"), token = token or env.get("VAULT_TOKEN") }, c)
end
function c:kv_get(mount, key) return self end
function c:kv_put(mount, key, data) return self end
return M
