--- @module assay.openbao
--- @description OpenBao secrets: the same functions as assay.vault.
--- @keywords openbao, bao, secrets

return require("assay.vault")
