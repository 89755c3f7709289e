--- @module assay.openbao
--- @description OpenBao, the open fork of HashiCorp's secrets server: the functions of assay.vault.
--- @keywords openbao, bao, policies, tokens, transit, encryption, pki
--- @synonyms credential, unseal, keep, safe
--- @asked log in to openbao; bao kv

return require("assay.vault")
