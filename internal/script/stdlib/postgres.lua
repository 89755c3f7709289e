--- @module assay.postgres
--- @description PostgreSQL helpers. Query, execute, create users and databases, grant privileges, credentials from Vault.
--- @keywords postgres, postgresql, database, sql, query, users, roles, grant, privileges, vault
--- @synonyms select, insert, update, table, tables, schema, row, rows, statement, create, user, access, read-only, allow, permission, permissions, app, backend, db, migration
--- @asked create a database and a user; grant rights; run a query against Postgres; change the password of a role
--- @env PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE
--- @quickref M.client_from_vault(vault_client, path, host, port, opts) -> client | Connect with credentials from Vault; opts: mount (secrets)
--- @quickref c:query(sql, params) -> [row] | Run a query; placeholders are $1, $2 ...
--- @quickref c:execute(sql, params) -> {rows_affected} | Run a statement
--- @quickref c:close() -> nil | Close the connection
--- @quickref c:user_exists(name) -> bool | Does a user exist
--- @quickref c:ensure_user(name, password, opts) -> bool | Create a user if missing; opts: createdb, superuser
--- @quickref c:database_exists(name) -> bool | Does a database exist
--- @quickref c:ensure_database(name, owner) -> bool | Create a database if missing
--- @quickref c:grant(database, user, privileges) -> nil | Grant privileges on a database (ALL PRIVILEGES)

local rest = require("assay._rest")
local escape = rest.escape

local M = {}
local c = {}
c.__index = c

function M._quote_ident(s)
  return '"' .. s:gsub('"', '""') .. '"'
end

function M._quote_literal(s)
  return "'" .. s:gsub("'", "''") .. "'"
end

function M.client(host, port, username, password, database)
  host = host or env.get("PGHOST") or "localhost"
  port = port or env.get("PGPORT") or 5432
  username = rest.need(username or env.get("PGUSER"), "postgres.client: username is required", "PGUSER")
  password = password or env.get("PGPASSWORD")
  database = database or env.get("PGDATABASE") or "postgres"
  if host:find(":", 1, true) and host:sub(1, 1) ~= "[" then
    host = "[" .. host .. "]"
  end
  local account = escape(username) .. (password and ":" .. escape(password) or "")
  local address = "postgres://" .. account .. "@" .. host .. ":" .. rest.text(port) .. "/" .. escape(database)
  return setmetatable({ conn = db.connect(address) }, c)
end

function M.client_from_vault(vault_client, path, host, port, opts)
  opts = rest.options("postgres.client_from_vault", opts, "mount")
  local mount = opts.mount or "secrets"
  local where = "postgres.client_from_vault: " .. mount .. "/" .. path
  local secret = vault_client:kv_get(mount, path)
  local data = secret and secret.data or error(where .. " not found", 0)
  rest.need(data.username, where .. " has no username")
  rest.need(data.password, where .. " has no password")
  return M.client(host, port or 5432, data.username, data.password, data.database or "postgres")
end

function c:query(sql, params)
  return db.query(self.conn, sql, params)
end

function c:execute(sql, params)
  return db.execute(self.conn, sql, params)
end

function c:close()
  db.close(self.conn)
end

function c:user_exists(name)
  return #self:query("SELECT 1 FROM pg_roles WHERE rolname = $1", { name }) > 0
end

function c:ensure_user(name, password, opts)
  opts = rest.options("postgres.ensure_user", opts, "createdb superuser")
  if self:user_exists(name) then
    log.info("postgres: user " .. name .. " exists")
    return false
  end
  self:execute("CREATE USER " .. M._quote_ident(name) .. " WITH PASSWORD " .. M._quote_literal(password)
    .. (opts.createdb and " CREATEDB" or "") .. (opts.superuser and " SUPERUSER" or ""))
  log.info("postgres: user " .. name .. " created")
  return true
end

function c:database_exists(name)
  return #self:query("SELECT 1 FROM pg_database WHERE datname = $1", { name }) > 0
end

function c:ensure_database(name, owner)
  if self:database_exists(name) then
    log.info("postgres: database " .. name .. " exists")
    return false
  end
  self:execute("CREATE DATABASE " .. M._quote_ident(name) .. (owner and " OWNER " .. M._quote_ident(owner) or ""))
  log.info("postgres: database " .. name .. " created")
  return true
end

function c:grant(database, user, privileges)
  privileges = privileges or "ALL PRIVILEGES"
  if not privileges:find("^[%a%s,]+$") then
    error("postgres: privileges are words with commas between, not " .. privileges, 0)
  end
  self:execute("GRANT " .. privileges .. " ON DATABASE " .. M._quote_ident(database) .. " TO " .. M._quote_ident(user))
  log.info("postgres: " .. privileges .. " on " .. database .. " granted to " .. user)
end

return rest.module("postgres", M, "host string", "port number or string", "username string", "password string", "database string")
