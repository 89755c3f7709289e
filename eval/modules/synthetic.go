package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// write writes n modules into a folder, of the size of those that come with the
// program, and returns how many bytes that is.
func write(dir string, n int) (bytes int64, err error) {
	for i := range n {
		text := synthetic(i)
		bytes += int64(len(text))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("service%d.lua", i)), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	return bytes, nil
}

const (
	nouns = `account alert archive asset backup badge bucket budget build calendar campaign cart certificate channel cluster comment contact
		contract coupon customer dashboard dataset deployment device discount document domain environment event feature feed file filter
		flag folder form gateway group host image incident index invoice issue item job key label lead ledger license link list locale log
		message metric milestone model monitor namespace network node note notification number offer order package page partner password
		payment permission person phone pipeline plan playlist plugin pod policy pool post price product profile project property quota
		queue quote rate receipt record region release report repository request reservation resource review role route rule sale sample
		schedule schema script secret segment sensor server service session shipment site snapshot source space stage statement stock
		store stream subscription survey table tag target task team template tenant test theme thread ticket tile token topic trace track
		transaction transfer trigger tunnel unit user vault vehicle vendor version video view volume warehouse webhook widget workflow zone`
	verbs = `list get create update delete enable disable start stop restart sync rotate silence approve reject archive restore validate
		export import clone merge split assign move rename lock unlock publish search`
	uses = `with its state, owner and age of a project; filtered by labels; one page at a time; and waits until it is done; as the caller
		may see them; by name or number; with all that belongs to it; for the account of the token`
)

// synthetic returns the text of a module that is like no other.
func synthetic(i int) string {
	ns, vs, us := strings.Fields(nouns), strings.Fields(verbs), strings.Split(strings.Join(strings.Fields(uses), " "), "; ")
	pick := func(k int) string { return ns[(i*(2*k+3)+k*k+i/len(ns)*(k+1))%len(ns)] }
	name := fmt.Sprintf("service%d", i)
	var head, code strings.Builder
	fmt.Fprintf(&head, "--- @module assay.%s\n--- @description %s manages %ss and %ss, with %ss for each %s.\n", name, name, pick(0), pick(1), pick(2), pick(3))
	fmt.Fprintf(&head, "--- @keywords %s, %s, %ss, %s, %s, %s-api, automation\n--- @env SERVICE%d_URL, SERVICE%d_TOKEN\n--- @auth { token = \"...\" }\n", name, pick(0), pick(0), pick(1), pick(2), pick(0), i, i)
	fmt.Fprintf(&code, "\nlocal M, c = {}, {}\nc.__index = c\n\nfunction M.client(url, opts)\n  opts = opts or { token = env.get(\"SERVICE%d_TOKEN\") }\n  return setmetatable({ url = url or env.get(\"SERVICE%d_URL\"), token = opts.token }, c)\nend\n", i, i)
	for k := range 18 {
		verb, noun := vs[(i+k*7)%len(vs)], pick(k%6)
		fmt.Fprintf(&head, "--- @quickref c:%s_%s(id, opts) -> {id, name, state} | %s%s a %s %s\n", verb, noun, strings.ToUpper(verb[:1]), verb[1:], noun, us[(i+k)%len(us)])
		fmt.Fprintf(&code, "\nfunction c:%s_%s(id, opts)\n  local r = http.get(self.url .. \"/api/v1/%ss/\" .. id, { headers = { Authorization = \"Bearer \" .. self.token } })\n"+
			"  if r.status ~= 200 then\n    error(\"%s: GET HTTP \" .. r.status .. \": \" .. r.body, 0)\n  end\n  return json.parse(r.body)\nend\n", verb, noun, noun, name)
	}
	return head.String() + code.String() + "\nreturn M\n"
}
