-- A check of checks.yaml: an error is a failure.
local answer = http.get(env.get("MOCK") .. "/shop/health")
assert.eq(answer.status, 200)
assert.lt(json.parse(answer.body).queue, tonumber(env.get("MOST")), "the queue")
