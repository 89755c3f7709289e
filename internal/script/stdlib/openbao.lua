--- @module assay.openbao
--- @description OpenBao secrets management: the functions of assay.vault. KV secrets, policies, auth, transit, PKI, tokens.
--- @keywords openbao, bao, secrets, kv, policies, tokens, transit, encryption, pki, vault
--- @synonyms secret, credential, read, keep, unseal

return require("assay.vault")
