-- The modules for services of AWS that the program for containers leaves out share this: a client
-- whose requests are signed as they are sent.

local rest = require("assay._paged")

local aws = {}

-- client is one of a service. found has what the environment gives in place of options.
function aws.client(who, service, opts, found, class)
  local key, secret, session = opts.access_key, opts.secret_key, opts.session_token
  if not (key or secret) then
    key, secret, session = found.access_key, found.secret_key, session or found.session_token
  end
  local region = rest.need(opts.region or found.region, who .. ": region is required", "AWS_REGION")
  local client = setmetatable({ region = region, session_token = session }, class)
  if not opts.auth then
    client.access_key = rest.need(key, who .. ": access_key is required", "AWS_ACCESS_KEY_ID")
    client.secret_key = rest.need(secret, who .. ": secret_key is required", "AWS_SECRET_ACCESS_KEY")
    client.signer = { sigv4 = { access_key = key, secret_key = secret, session_token = session, region = region, service = service } }
  end
  local endpoint = opts.endpoint or found.endpoint
  local host = service == "ecr" and "api.ecr" or service
  client.url = endpoint and rest.base(who, endpoint) or "https://" .. host .. aws.domain(region)
  return client
end

-- domain is the rest of the host of a service in a region; China has its own.
function aws.domain(region)
  return "." .. region .. ".amazonaws.com" .. (region:find("^cn%-") and ".cn" or "")
end

return aws
