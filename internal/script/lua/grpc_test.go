package lua

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

// shopProto is the .proto file of the server of the tests.
const shopProto = `
name: "shop/v1/shop.proto" package: "shop.v1" syntax: "proto3"
dependency: ["google/protobuf/any.proto", "google/protobuf/duration.proto", "google/protobuf/field_mask.proto", "google/protobuf/struct.proto",
	"google/protobuf/timestamp.proto", "google/protobuf/wrappers.proto", "shop/v1/item.proto"]
message_type {
	name: "Everything"
	field { name: "small_int" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
	field { name: "big_int" number: 2 type: TYPE_INT64 label: LABEL_OPTIONAL }
	field { name: "big_uint" number: 3 type: TYPE_UINT64 label: LABEL_OPTIONAL }
	field { name: "raw" number: 4 type: TYPE_BYTES label: LABEL_OPTIONAL }
	field { name: "color" number: 5 type: TYPE_ENUM type_name: ".shop.v1.Color" label: LABEL_OPTIONAL }
	field { name: "counts" number: 6 type: TYPE_MESSAGE type_name: ".shop.v1.Everything.CountsEntry" label: LABEL_REPEATED }
	field { name: "items" number: 7 type: TYPE_MESSAGE type_name: ".shop.v1.Item" label: LABEL_REPEATED }
	field { name: "at" number: 8 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL }
	field { name: "took" number: 9 type: TYPE_MESSAGE type_name: ".google.protobuf.Duration" label: LABEL_OPTIONAL }
	field { name: "labels" number: 10 type: TYPE_MESSAGE type_name: ".google.protobuf.Struct" label: LABEL_OPTIONAL }
	field { name: "extra" number: 11 type: TYPE_MESSAGE type_name: ".google.protobuf.Any" label: LABEL_OPTIONAL }
	field { name: "limit" number: 12 type: TYPE_MESSAGE type_name: ".google.protobuf.Int64Value" label: LABEL_OPTIONAL }
	field { name: "mask" number: 13 type: TYPE_MESSAGE type_name: ".google.protobuf.FieldMask" label: LABEL_OPTIONAL }
	field { name: "note" number: 14 type: TYPE_STRING label: LABEL_OPTIONAL proto3_optional: true oneof_index: 1 }
	field { name: "share" number: 15 type: TYPE_DOUBLE label: LABEL_OPTIONAL }
	field { name: "by_name" number: 16 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
	field { name: "by_item" number: 17 type: TYPE_MESSAGE type_name: ".shop.v1.Item" label: LABEL_OPTIONAL oneof_index: 0 }
	field { name: "words" number: 18 type: TYPE_STRING label: LABEL_REPEATED }
	field { name: "inner" number: 19 type: TYPE_MESSAGE type_name: ".shop.v1.Everything" label: LABEL_OPTIONAL }
	nested_type {
		name: "CountsEntry" options { map_entry: true }
		field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
		field { name: "value" number: 2 type: TYPE_INT64 label: LABEL_OPTIONAL }
	}
	oneof_decl { name: "by" } oneof_decl { name: "_note" }
}
enum_type { name: "Color" value { name: "COLOR_NONE" number: 0 } value { name: "COLOR_RED" number: 1 } }
service {
	name: "Shop"
	method { name: "Echo" input_type: ".shop.v1.Everything" output_type: ".shop.v1.Everything" }
	method { name: "GetItem" input_type: ".shop.v1.Item" output_type: ".shop.v1.Item" }
	method { name: "Watch" input_type: ".shop.v1.Item" output_type: ".shop.v1.Item" server_streaming: true }
	method { name: "Upload" input_type: ".shop.v1.Item" output_type: ".shop.v1.Item" client_streaming: true }
}`

const itemProto = `
name: "shop/v1/item.proto" package: "shop.v1" syntax: "proto3"
message_type {
	name: "Item"
	field { name: "name" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
	field { name: "unit_price" number: 2 type: TYPE_INT64 label: LABEL_OPTIONAL }
	field { name: "access_token" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL }
	field { name: "raw" number: 4 type: TYPE_BYTES label: LABEL_OPTIONAL }
}`

// shopFiles are the files of the server, with those that they import.
func shopFiles(t testing.TB, texts ...string) (*descriptorpb.FileDescriptorSet, *protoregistry.Files) {
	t.Helper()
	set := &descriptorpb.FileDescriptorSet{}
	for _, name := range []string{"any", "duration", "field_mask", "struct", "timestamp", "wrappers"} {
		set.File = append(set.File, standardFile("google/protobuf/"+name+".proto"))
	}
	for _, text := range append(texts, itemProto, shopProto) {
		f := &descriptorpb.FileDescriptorProto{}
		if err := prototext.Unmarshal([]byte(text), f); err != nil {
			t.Fatal(err)
		}
		set.File = append(set.File, f)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	return set, files
}

// A shop is a server of gRPC that notes what it is sent.
type shop struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func (s *shop) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, fmt.Sprintf(format, args...))
}

func (s *shop) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// itemOf makes an Item on the wire.
func itemOf(t testing.TB, files *protoregistry.Files, text string) []byte {
	t.Helper()
	d, err := files.FindDescriptorByName("shop.v1.Item")
	if err != nil {
		t.Fatal(err)
	}
	m := dynamicMessage(d)
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		t.Error(err)
	}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Error(err)
	}
	return b
}

// newShop starts a server in plain text or, with secure, TLS, which reflects by a version of the protocol ("": none).
func newShop(t testing.TB, version string, secure bool) *shop {
	t.Helper()
	_, files := shopFiles(t)
	s := &shop{}
	over := make(chan struct{})
	mux := http.NewServeMux()
	raw := connect.WithCodec(rawCodec{})
	mux.Handle("/shop.v1.Shop/Echo", connect.NewUnaryHandler("/shop.v1.Shop/Echo", func(_ context.Context, r *connect.Request[[]byte]) (*connect.Response[[]byte], error) {
		return connect.NewResponse(r.Msg), nil
	}, raw))
	mux.Handle("/shop.v1.Shop/GetItem", connect.NewUnaryHandler("/shop.v1.Shop/GetItem", func(_ context.Context, r *connect.Request[[]byte]) (*connect.Response[[]byte], error) {
		h := r.Header()
		switch name := valuesOf(*r.Msg)[1]; string(bytes.Join(name, nil)) {
		case "headers":
			return connect.NewResponse(new(itemOf(t, files, fmt.Sprintf("name: %q raw: %q", h.Get("Authorization")+" "+h.Get("X-Shop")+" "+h.Get("Grpc-Timeout"), h.Get("Key-Bin"))))), nil
		case "missing":
			err := connect.NewError(connect.CodeNotFound, errors.New("no such item"))
			known, unknown := &anypb.Any{TypeUrl: "type.googleapis.com/shop.v1.Item", Value: itemOf(t, files, `name: "near"`)}, &anypb.Any{TypeUrl: "x/no.Such", Value: []byte("abc")}
			for _, a := range []*anypb.Any{known, unknown} {
				d, failed := connect.NewErrorDetail(a)
				if failed != nil {
					t.Error(failed)
				}
				err.AddDetail(d)
			}
			number, _ := connect.NewErrorDetail(wrapperspb.Int64(7))
			err.AddDetail(number)
			return nil, err
		case "secret":
			return connect.NewResponse(new(itemOf(t, files, fmt.Sprintf("name: %q access_token: 'tok' raw: %q", h.Get("Authorization"), "<"+h.Get("Authorization")+">")))), nil
		case "says":
			return nil, connect.NewError(connect.CodeAborted, errors.New("you are "+h.Get("Authorization")))
		case "slow":
			<-over // so that only the client's own limit ends the call
		}
		return connect.NewResponse(r.Msg), nil
	}, raw))
	mux.Handle("/shop.v1.Shop/Watch", connect.NewServerStreamHandler("/shop.v1.Shop/Watch", func(ctx context.Context, r *connect.Request[[]byte], out *connect.ServerStream[[]byte]) error {
		name := string(bytes.Join(valuesOf(*r.Msg)[1], nil))
		for i := 0; name == "ever" || i < 3; i++ {
			if err := out.Send(new(itemOf(t, files, fmt.Sprintf("name: %q unit_price: %d", name, i)))); err != nil {
				s.note("left")
				return err
			}
		}
		if name == "broken" {
			return connect.NewError(connect.CodeDataLoss, errors.New("the end is lost"))
		}
		return nil
	}, raw))
	reflector := grpcreflect.NewReflector(grpcreflect.NamerFunc(func() []string { return []string{"shop.v1.Shop"} }), grpcreflect.WithDescriptorResolver(files))
	switch version {
	case "v1":
		mux.Handle(grpcreflect.NewHandlerV1(reflector))
	case "v1alpha":
		mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector))
	}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.note("%s %s", r.Method, r.URL.Path)
		mux.ServeHTTP(w, r)
	}))
	serveHTTP2(s.Server, secure)
	t.Cleanup(s.Close) // which waits for calls that are under way
	t.Cleanup(func() { close(over) })
	return s
}

func serveHTTP2(s *httptest.Server, secure bool) {
	if secure {
		s.EnableHTTP2 = true
		s.StartTLS()
		return
	}
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Config.Protocols.SetHTTP1(true)
	s.Start()
}

const everything = `{smallInt = -3, big_int = 9007199254740993, bigUint = "18446744073709551615", raw = base64.encode("\xff\0"), color = "COLOR_RED",
	counts = {a = 1, ["b c"] = 2}, items = {{name = "x", unitPrice = 5}, {}}, at = "2024-02-29T12:00:00.5Z", took = "1.5s", labels = {a = {1, "x", json.null}, b = {}},
	extra = {["@type"] = "type.googleapis.com/shop.v1.Item", name = "inside"}, limit = 12, mask = "a,bC", note = "", share = 0.5, byItem = {}, words = {"u"}}`

func TestGRPC(t *testing.T) {
	s := newShop(t, "v1", false)
	item := object{"name": "", "unitPrice": int64(0), "accessToken": "", "raw": ""}
	with := func(set object) object {
		o := object{}
		for _, m := range []object{item, set} {
			for k, v := range m {
				o[k] = v
			}
		}
		return o
	}
	status := `local ok, e = pcall(c.call, c, %s) return `
	tests := []struct {
		name, src string
		want      any
	}{
		{"services", `return c:services()`, array{"shop.v1.Shop"}},
		{"a service", `return c:describe("shop.v1.Shop").methods[3]`, object{"name": "Watch", "input": "shop.v1.Item", "output": "shop.v1.Item", "client_streaming": false, "server_streaming": true}},
		{"a method", `return c:describe("shop.v1.Shop/Echo")`, object{"name": "Echo", "input": "shop.v1.Everything", "output": "shop.v1.Everything", "client_streaming": false, "server_streaming": false}},
		{"a message", `local o = {} for _, f in ipairs(c:describe("shop.v1.Everything").fields) do o[#o + 1] = f.name .. " " .. f.type .. " " .. (f.oneof or "-") end return table.concat({o[6], o[7], o[8], o[14], o[16], o[5]}, "; ")`,
			"counts map<string, int64> -; items repeated shop.v1.Item -; at google.protobuf.Timestamp -; note optional string -; byName string by; color shop.v1.Color -"},
		{"an enum", `return c:describe("shop.v1.Color").values`, object{"COLOR_NONE": int64(0), "COLOR_RED": int64(1)}},
		{"every kind of field", `return c:call("shop.v1.Shop/Echo", ` + everything + `)`, object{
			"smallInt": int64(-3), "bigInt": int64(9007199254740993), "bigUint": "18446744073709551615", "raw": "/wA=", "color": "COLOR_RED",
			"counts": object{"a": int64(1), "b c": int64(2)}, "items": array{with(object{"name": "x", "unitPrice": int64(5)}), item},
			"at": "2024-02-29T12:00:00.500Z", "took": "1.500s", "labels": object{"a": array{int64(1), "x", nil}, "b": array{}},
			"extra": with(object{"@type": "type.googleapis.com/shop.v1.Item", "name": "inside"}), "limit": int64(12), "mask": "a,bC", "note": "", "share": .5, "byItem": item, "words": array{"u"}}},
		{"nothing", `return c:call("/shop.v1.Shop/Echo", {})`, object{"smallInt": int64(0), "bigInt": int64(0), "bigUint": int64(0), "raw": "", "color": "COLOR_NONE", "counts": object{}, "items": array{}, "share": 0., "words": array{}}},
		{"nil", `return c:call("shop.v1.Shop/GetItem")`, item},
		{"tables without elements", `return c:call("shop.v1.Shop/Echo", {inner = {}, labels = {}, items = {}, counts = {}}).labels`, object{}},
		{"null", `return c:call("shop.v1.Shop/Echo", {note = json.null}).note == nil`, true},
		{"a number of an enum", `return c:call("shop.v1.Shop/Echo", {color = 7}).color`, int64(7)},
		{"a stream as a list", `return #c:call("shop.v1.Shop/Watch", {name = "a"})`, int64(3)},
		{"a stream up to a limit", `return #c:call("shop.v1.Shop/Watch", {name = "ever"}, {limit = 2})`, int64(2)},
		{"a stream by message", `local n = 0 c:call("shop.v1.Shop/Watch", {name = "a"}, {on_message = function(m) n = n + m.unitPrice end}) return n`, int64(3)},
		{"a stream that is left", `local seen c:call("shop.v1.Shop/Watch", {name = "ever"}, {on_message = function(m) seen = m.unitPrice return seen < 5 end}) return seen`, int64(5)},
		{"a stream that breaks", `local n = 0 local ok, e = pcall(c.call, c, "shop.v1.Shop/Watch", {name = "broken"}, {on_message = function() n = n + 1 end}) return {n, e.code}`, array{int64(3), "DATA_LOSS"}},
		{"a list that breaks", `return select(2, pcall(c.call, c, "shop.v1.Shop/Watch", {name = "broken"})).message`, "the end is lost"},
		{"metadata", `return c:call("shop.v1.Shop/GetItem", {name = "headers"}, {metadata = {["x-shop"] = "one", ["key-bin"] = "\xff\1"}, timeout = 2}).name`, " one 2000m"},
		{"bytes of metadata", `return base64.decode(c:call("shop.v1.Shop/GetItem", {name = "headers"}, {metadata = {["key-bin"] = "\xff\1"}}).raw)`, "/wE"},
		{"metadata of the client", `local c = grpc.connect(U, {metadata = {["x-shop"] = "all"}, auth = {bearer = "t0ken-t0ken"}, timeout = 3}) return c:call("shop.v1.Shop/GetItem", {name = "headers"}).name`, "Bearer t0ken-t0ken all 3000m"},
		{"an error's code", fmt.Sprintf(status, `"shop.v1.Shop/GetItem", {name = "missing"}`) + `e.code .. e.number .. " " .. e.message .. " " .. e.method`, "NOT_FOUND5 no such item shop.v1.Shop/GetItem"},
		{"an error's details", fmt.Sprintf(status, `"shop.v1.Shop/GetItem", {name = "missing"}`) + `e.details`, array{with(object{"@type": "type.googleapis.com/shop.v1.Item", "name": "near"}), object{"@type": "x/no.Such", "value": "YWJj"}, object{"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": int64(7)}}},
		{"an error as text", fmt.Sprintf(status, `"shop.v1.Shop/GetItem", {name = "missing"}`) + `tostring(e)`, "grpc: shop.v1.Shop/GetItem: NOT_FOUND: no such item"},
		{"a time limit", fmt.Sprintf(status, `"shop.v1.Shop/GetItem", {name = "slow"}, {timeout = 0.05}`) + `e.code`, "DEADLINE_EXCEEDED"},
		{"a stream's time limit", fmt.Sprintf(status, `"shop.v1.Shop/Watch", {name = "ever"}, {timeout = 0.1}`) + `e.code`, "DEADLINE_EXCEEDED"},
		{"nobody there", `local ok, e = pcall(function() return grpc.connect("127.0.0.1:1", {tls = false}):services() end) return e.code`, "UNAVAILABLE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := called(t, Options{Globals: map[string]any{"U": s.URL}}, "local c = grpc.connect(U) "+tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

func TestGRPCMistakes(t *testing.T) {
	s := newShop(t, "v1", false)
	for _, tt := range []struct{ src, want string }{
		{`c:call("shop.v1.Shop/GetItm", {})`, `grpc.call: shop.v1.Shop has no method "GetItm": did you mean GetItem?`},
		{`c:call("shop.v1.Shp/GetItem", {})`, `grpc.call: unknown service or type "shop.v1.Shp": did you mean shop.v1.Shop?`},
		{`c:call("shop.v1.Shop.GetItem", {})`, `is no method: write pkg.Service/Method`},
		{`c:call("shop.v1.Item/GetItem", {})`, `shop.v1.Item is not a service`},
		{`c:call("shop.v1.Shop/Upload", {})`, `takes a stream of requests`},
		{`c:call("shop.v1.Shop/GetItem", {nama = "x"})`, `grpc.call: shop.v1.Item: unknown option "nama": did you mean name?`},
		{`c:call("shop.v1.Shop/Echo", {items = {{nama = "x"}}})`, `grpc.call: shop.v1.Everything.items[1]: unknown option "nama": did you mean name?`},
		{`c:call("shop.v1.Shop/Echo", {items = {name = "x"}})`, `shop.v1.Everything.items must be a list`},
		{`c:call("shop.v1.Shop/Echo", {smallInt = "x"})`, `smallInt must be an int32, not x`},
		{`c:call("shop.v1.Shop/Echo", {smallInt = 3000000000})`, `smallInt must be an int32, not 3000000000`},
		{`c:call("shop.v1.Shop/Echo", {color = "RED"})`, `color must be one of COLOR_NONE, COLOR_RED, not RED`},
		{`c:call("shop.v1.Shop/Echo", {byName = "a", byItem = {}})`, `byName and byItem exclude each other`},
		{`c:call("shop.v1.Shop/GetItem", {name = "\xff"})`, `shop.v1.Item.name is not UTF-8`},
		{`c:call("shop.v1.Shop/GetItem", "x")`, `the request must be a table, not a string`},
		{`local t = {} t.inner = t c:call("shop.v1.Shop/Echo", t)`, `nests more than 100 deep`},
		{`c:call("shop.v1.Shop/GetItem", {}, {metdata = {}})`, `grpc.call: unknown option "metdata": did you mean metadata?`},
		{`c:call("shop.v1.Shop/GetItem", {}, {metadata = {["grpc-timeout"] = "1S"}})`, `"grpc-timeout" belongs to the protocol`},
		{`c:call("shop.v1.Shop/GetItem", {}, {metadata = "x"})`, `metadata must be a table`},
		{`c:describe("shop.v1.Shop.Nothing")`, `unknown service or type`},
		{`c:call("shop.v1.Shop/GetItem", {name = "missing"})`, `grpc: shop.v1.Shop/GetItem: NOT_FOUND: no such item`},
		{`grpc.connect(U, {tls = true})`, `the option tls does not go with http://`},
		{`grpc.connect((U:gsub("http", "https")), {tls = false})`, `the option tls does not go with https://`},
		{`grpc.connect("x:1", {tls = {ca_crt = "x"}})`, `grpc.connect: tls: unknown option "ca_crt": did you mean ca_cert?`},
		{`grpc.connect(U, {tls = 1})`, `tls must be true, false or a table`},
		{`grpc.connect(U .. "/api")`, `is not host:port`},
		{`grpc.connect("ws://x")`, `is not host:port`},
		{`grpc.connect("u:p@x:1")`, `is not host:port`},
		{`grpc.connect("")`, `is not host:port`},
		{`c:call("shop.v1.Shop/GetItem", {}, {limit = 2})`, `limit and on_message are for streams`},
		{`c:call("shop.v1.Shop/Watch", {}, {limit = 0})`, `limit must be a positive integer`},
		{`grpc.connect(U, {descriptors = "none.pb"})`, `failed to read "none.pb"`},
	} {
		t.Run(tt.src, func(t *testing.T) {
			if _, err := called(t, Options{Dir: t.TempDir(), Globals: map[string]any{"U": s.URL}}, "local c = grpc.connect(U) "+tt.src); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestGRPCTypes(t *testing.T) {
	dir := t.TempDir()
	set, _ := shopFiles(t)
	write := func(name string, files []*descriptorpb.FileDescriptorProto) {
		b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: files})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("all.pb", set.File)
	write("own.pb", set.File[6:])     // without the standard ones
	write("partial.pb", set.File[7:]) // without one of its own
	write("empty.pb", nil)
	plain, alpha, secure := newShop(t, "", false), newShop(t, "v1alpha", false), newShop(t, "v1", true)
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), pemOf(secure.Certificate()), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, src string
		want      any
	}{
		{"a file", `return grpc.connect(PLAIN, {descriptors = "all.pb"}):call("shop.v1.Shop/GetItem", {name = "x"}).name`, "x"},
		{"a file without the standard ones", `local c = grpc.connect(PLAIN, {descriptors = "own.pb"}) return c:services()[1] .. c:call("shop.v1.Shop/GetItem", {name = "x"}).name`, "shop.v1.Shopx"},
		{"a file that is not whole", `return select(2, pcall(grpc.connect, PLAIN, {descriptors = "partial.pb"}))`, "grpc.connect: partial.pb: shop/v1/shop.proto imports shop/v1/item.proto, which is missing: add --include_imports"},
		{"a file without anything", `return (select(2, pcall(grpc.connect, PLAIN, {descriptors = "empty.pb"})):gsub(":.*", ""))`, "grpc.connect"},
		{"no reflection", `return select(2, pcall(function() grpc.connect(PLAIN):services() end))`, "grpc.connect: the server has no reflection: give the option descriptors"},
		{"the older reflection", `return grpc.connect(ALPHA):call("shop.v1.Shop/GetItem", {name = "x"}).name`, "x"},
		{"TLS", `return grpc.connect(SECURE, {tls = {ca_cert_file = "ca.pem"}}):call("shop.v1.Shop/GetItem", {name = "x"}).name`, "x"},
		{"TLS of a server that nobody knows", `local ok, e = pcall(function() grpc.connect(SECURE):services() end) return e.code .. (e.message:find("certificate") and " certificate" or "")`, "UNAVAILABLE certificate"},
		{"host and port", `return grpc.connect((SECURE:gsub("https://", "")), {tls = {ca_cert_file = "ca.pem"}}):services()[1]`, "shop.v1.Shop"},
		{"host and port in plain text", `return grpc.connect((PLAIN:gsub("http://", "")), {tls = false, descriptors = "all.pb"}):call("shop.v1.Shop/GetItem", {name = "x"}).name`, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := called(t, Options{Dir: dir, Globals: map[string]any{"PLAIN": plain.URL, "ALPHA": alpha.URL, "SECURE": secure.URL}}, tt.src)
			if d := cmp.Diff(tt.want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		})
	}
}

// A policy is asked about a call as about a POST to its path.
func TestGRPCPolicy(t *testing.T) {
	s := newShop(t, "v1", false)
	host := strings.TrimPrefix(s.URL, "http://")
	get := `return grpc.connect(U):call("shop.v1.Shop/GetItem", {name = "x"}).name`
	rules := func(rules string) *Policy {
		f, err := ReadPolicy([]byte("version: 1\n" + strings.ReplaceAll(rules, "HOST", host)))
		if err != nil {
			t.Fatal(err)
		}
		return &Policy{File: f}
	}
	tests := []struct {
		name   string
		policy *Policy
		src    string
		want   string
	}{
		{"nothing", &Policy{}, get, "the policy permits no POST"},
		{"reading", &Policy{Hosts: []string{host}}, get, "the policy permits no POST"},
		{"posting", &Policy{Hosts: []string{host}, Methods: []string{"POST"}}, get, "x"},
		{"another host", &Policy{Hosts: []string{"x.test:1"}, Methods: []string{"POST"}}, get, "does not permit the host"},
		{"another host by metadata", &Policy{Hosts: []string{host}, Methods: []string{"POST"}}, `return grpc.connect(U, {metadata = {host = "x.test"}}):services()`, "does not permit the host x.test"},
		{"another path", &Policy{Hosts: []string{host}, Methods: []string{"POST"}, Paths: []string{"/grpc.reflection.v1.ServerReflection"}}, get, "does not permit the path /shop.v1.Shop/GetItem"},
		{"read-only", &Policy{Own: true, ReadOnly: true}, get, "no POST: it is read-only"},
		{"the types, read-only", &Policy{Own: true, ReadOnly: true}, `return grpc.connect(U):services()[1]`, "shop.v1.Shop"},
		{"a file that permits GET", rules(`http: [{hosts: ["HOST"]}]`), get, "the policy permits no POST"},
		{"a file that permits the method", rules(`http: [{hosts: ["HOST"], methods: [POST], paths: [/shop.v1.Shop/GetItem, /grpc.reflection.v1.ServerReflection]}]`), get, "x"},
		{"a file that permits another method", rules(`http: [{hosts: ["HOST"], methods: [POST], paths: [/shop.v1.Shop/Echo, /grpc.reflection.v1.ServerReflection]}]`), get, "the policy permits no POST of " + host + "/shop.v1.Shop/GetItem"},
		{"a method that reads", func() *Policy {
			p := rules(`http: [{hosts: ["HOST"], methods: [POST], class: read}]`)
			p.ReadOnly = true
			return p
		}(), get, "x"},
		{"a function that is denied", rules("http: [{hosts: [\"HOST\"], methods: [POST]}]\nfunctions: {http.post: deny}"), get, "the policy does not permit this function"},
		{"too many requests", rules("http: [{hosts: [\"HOST\"], methods: [POST]}]\nlimits: {requests: 1}"), get, "no more than 1 requests"},
		{"a response that is too long", rules("http: [{hosts: [\"HOST\"], methods: [POST]}]\nlimits: {response: 2K}"), get, "is longer than 2 KiB"},
		{"a member that is redacted", rules("http: [{hosts: [\"HOST\"], methods: [POST]}]\nredact: [access_token]"), get, "redacts members by name, and messages of gRPC have no names"},
		{"a certificate that nobody looks at", rules(`http: [{hosts: ["HOST"], methods: [POST]}]`), `grpc.connect("` + host + `", {tls = {insecure_skip_verify = true}})`, "does not permit insecure_skip_verify"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := called(t, Options{Policy: tt.policy, Globals: map[string]any{"U": s.URL}}, tt.src)
			if all := fmt.Sprint(got, err); !strings.Contains(all, tt.want) {
				t.Errorf("%s, want %q", all, tt.want)
			}
		})
	}
}

func TestGRPCCredential(t *testing.T) {
	s, other := newShop(t, "v1", false), newShop(t, "v1", true)
	f, err := ReadPolicy([]byte(strings.NewReplacer("HOST", strings.TrimPrefix(s.URL, "http://"), "OTHER", strings.TrimPrefix(other.URL, "https://")).Replace(`
version: 1
http: [{hosts: ["HOST", "OTHER"], methods: [POST]}]
credentials: {shop: {hosts: ["HOST"], bearer: {env: SHOP}}, far: {hosts: ["far.test:7"], bearer: {env: SHOP}}, other: {hosts: ["OTHER"], bearer: {env: SHOP}}}
`)))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Policy: &Policy{File: f}, Env: func(string) (string, bool) { return theSecret, true },
		Globals: map[string]any{"U": s.URL, "OTHER": other.URL, "CA": string(pemOf(other.Certificate()))}}
	for _, tt := range []struct{ name, src, want string }{
		{"sent back", `local r = c:call("shop.v1.Shop/GetItem", {name = "secret"}) return r.name .. base64.decode(r.raw)`, "Bearer ****************<Bearer ****************>"},
		{"sent back in an error", `return select(2, pcall(c.call, c, "shop.v1.Shop/GetItem", {name = "says"})).message`, "you are Bearer [redacted]"},
		{"elsewhere", `grpc.connect(OTHER, {auth = cred("shop")}):services()`, "the credential shop is not for https://"},
		{"for a host that is elsewhere", `grpc.connect(U, {auth = cred("far")}):services()`, "the credential far is not for http://"},
		{"by an authority of the script", `grpc.connect(OTHER, {auth = cred("other"), tls = {ca_cert = CA}}):services()`, "does not go with"},
		{"in metadata", `grpc.connect(U, {metadata = {authorization = cred("shop")}})`, "a credential is given as the option auth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := called(t, o, `local c = grpc.connect(U, {auth = cred("shop")}) `+tt.src)
			if all := fmt.Sprint(got, err); !strings.Contains(all, tt.want) || strings.Contains(all, theSecret) {
				t.Errorf("%s, want %q", all, tt.want)
			}
		})
	}
}

// A person approves a call by its message as JSON, and a resumed run sends that and repeats nothing.
func TestGRPCApproval(t *testing.T) {
	s := newShop(t, "v1", false)
	f, err := ReadPolicy([]byte(strings.ReplaceAll(`
version: 1
http:
  - {hosts: ["HOST"], methods: [POST], paths: [/shop.v1.Shop/GetItem], approve: true}
  - {hosts: ["HOST"], methods: [POST]}
`, "HOST", strings.TrimPrefix(s.URL, "http://"))))
	if err != nil {
		t.Fatal(err)
	}
	var log []Event
	run := func(a *Approvals, src string) (string, *Approvals) {
		v := New(Options{Policy: &Policy{File: f}, Approvals: a, Globals: map[string]any{"U": s.URL}, Require: packed, Event: func(e Event) { log = append(log, e) }})
		defer v.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // which the request must not show
		defer cancel()
		out, err := v.Run(ctx, "t.lua", []byte(src))
		if p := a.Pending(); p != nil {
			return p.Method + " " + strings.TrimPrefix(p.URL, s.URL) + " " + p.Body, a.Next()
		}
		return fmt.Sprint(out, err), nil
	}
	sent := func(path string) (n int) {
		for _, r := range s.requests() {
			if r == "POST "+path {
				n++
			}
		}
		return n
	}
	src := `local c = require("assay.grpc").connect(U) local e = c:call("shop.v1.Shop/Echo", {note = "n"}) return e.note .. c:call("shop.v1.Shop/GetItem", {name = "x", unitPrice = 3}).name`
	got, next := run(&Approvals{Seed: []byte("seed")}, src)
	if want := `POST /shop.v1.Shop/GetItem "\x00\x00\x00\x00\x05\n\x01x\x10\x03"`; got != want || sent("/shop.v1.Shop/GetItem") != 0 || sent("/shop.v1.Shop/Echo") != 1 {
		t.Fatalf("%s, want %s; %q", got, want, s.requests())
	}
	again := &Approvals{Seed: next.Seed, Approved: next.Approved, Effects: next.Effects, Times: next.Times}
	if got, _ = run(next, src); got != "[nx] <nil>" || sent("/shop.v1.Shop/GetItem") != 1 || sent("/shop.v1.Shop/Echo") != 1 {
		t.Errorf("%s; %q", got, s.requests())
	}
	if got, _ = run(again, strings.Replace(src, "unitPrice = 3", "unitPrice = 4", 1)); !strings.Contains(got, "another request") || sent("/shop.v1.Shop/GetItem") != 1 {
		t.Errorf("%s; %q", got, s.requests())
	}
	last := log[len(log)-1]
	if last.Event != "request" || last.Method != http.MethodPost || !strings.HasSuffix(last.URL, "/shop.v1.Shop/GetItem") {
		t.Errorf("%+v", last)
	}
}

func TestGRPCWire(t *testing.T) {
	s := newShop(t, "v1", false)
	src := `local c = grpc.connect(U) local n = #c:call("shop.v1.Shop/Watch", {name = "a"}) local ok, e = pcall(c.call, c, "shop.v1.Shop/GetItem", {name = "missing"}) return c:call("shop.v1.Shop/GetItem", {name = "x"}).name .. n .. tostring(e.code)`
	var trace, shown bytes.Buffer
	recorder := &Wire{Record: true, Trace: &trace}
	if got, err := called(t, Options{Wire: recorder, Globals: map[string]any{"U": s.URL}}, src); got != "x3NOT_FOUND" {
		t.Fatalf("%v, %v", got, err)
	}
	if want := `\x00\t\n\amissing"`; !strings.Contains(trace.String(), want) || !strings.Contains(trace.String(), "< Grpc-Status: 5") {
		t.Errorf("the trace has no %s:\n%s", want, trace.String())
	}
	tape, err := recorder.Recording()
	if err != nil {
		t.Fatal(err)
	}
	before := len(s.requests())
	player := &Wire{}
	if err := player.Replay(tape); err != nil {
		t.Fatal(err)
	}
	if got, err := called(t, Options{Wire: player, Globals: map[string]any{"U": s.URL}}, src); got != "x3NOT_FOUND" || len(s.requests()) != before {
		t.Errorf("replayed: %v, %v; %d requests, want %d", got, err, len(s.requests()), before)
	}
	// Types are asked for, and a call is shown in place of being sent.
	if got, err := called(t, Options{Wire: &Wire{DryRun: &shown}, Globals: map[string]any{"U": s.URL}}, `return grpc.connect(U):call("shop.v1.Shop/GetItem", {name = "x"}).name`); got != "" || err != nil {
		t.Errorf("dry run: %v, %v", got, err)
	}
	if seen := s.requests()[before:]; len(seen) != 1 || !strings.Contains(shown.String(), "not sent: POST "+s.URL+"/shop.v1.Shop/GetItem") || !strings.Contains(shown.String(), `\x00\x03\n\x01x"`) {
		t.Errorf("dry run: %q\n%s", seen, shown.String())
	}
}

// hostile starts a server that answers as f does.
func hostile(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(f)
	serveHTTP2(s, false)
	t.Cleanup(s.Close)
	return s.URL
}

// framed is a message as gRPC sends it.
func framed(b []byte) []byte {
	n := len(b)
	return append([]byte{0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, b...)
}

// Whatever a server answers, a call ends with an error.
func TestGRPCHostileServers(t *testing.T) {
	dir := t.TempDir()
	set, _ := shopFiles(t)
	b, err := proto.Marshal(set)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "all.pb"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := 0
	away := hostile(t, func(http.ResponseWriter, *http.Request) { elsewhere++ })
	grpc := func(w http.ResponseWriter, trailers ...string) {
		w.Header().Set("Content-Type", "application/grpc")
		for i := 0; i < len(trailers); i += 2 {
			w.Header().Set(http.TrailerPrefix+trailers[i], trailers[i+1])
		}
	}
	nested := bytes.Repeat([]byte{}, 0)
	for range 2000 {
		nested = append(appendTag(19, len(nested)), nested...)
	}
	tests := []struct {
		name   string
		method string
		answer http.HandlerFunc
		want   string
	}{
		{"a prefix of 2 GB", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w)
			_, _ = w.Write([]byte{0, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3})
		}, "RESOURCE_EXHAUSTED"},
		{"2 GB indeed", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w)
			_, _ = w.Write([]byte{0, 0x7f, 0xff, 0xff, 0xff})
			for b := make([]byte, 1<<20); ; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, "larger than"},
		{"a bomb of gzip", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w)
			w.Header().Set("Grpc-Encoding", "gzip")
			b, _ := compressed(make([]byte, 64<<20))
			b = framed(b)
			b[0] = 1
			_, _ = w.Write(b)
		}, "a message is compressed"},
		{"a bomb of gzip that is not announced", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w)
			b, _ := compressed(make([]byte, 64<<20))
			b = framed(b)
			b[0] = 1
			_, _ = w.Write(b)
		}, "a message is compressed"},
		{"messages of nothing", "Echo", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "0")
			_, _ = w.Write(framed(bytes.Repeat([]byte{7<<3 | 2, 0}, 2<<19)))
		}, "memory limit"},
		{"messages within messages", "Echo", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "0")
			_, _ = w.Write(framed(nested))
		}, "nest more than"},
		{"no message", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "0")
			_, _ = w.Write([]byte{0, 0, 0, 0, 9, 1})
		}, "INTERNAL"},
		{"bytes that are no message", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "0")
			_, _ = w.Write(framed([]byte{0xff, 0xff}))
		}, "the answer is no shop.v1.Item"},
		{"only trailers", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/grpc")
			w.Header().Set("Grpc-Status", "7")
			w.Header().Set("Grpc-Message", "not%20you")
		}, "PERMISSION_DENIED: not you"},
		{"only trailers, and well", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/grpc")
			w.Header().Set("Grpc-Status", "0")
		}, "the server sent no message"},
		{"no trailers", "GetItem", func(w http.ResponseWriter, _ *http.Request) { grpc(w); _, _ = w.Write(framed(nil)) }, "INTERNAL"},
		{"two messages", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "0")
			_, _ = w.Write(append(framed(nil), framed(nil)...))
		}, "more than one message"},
		{"a code that there is not", "GetItem", func(w http.ResponseWriter, _ *http.Request) { grpc(w, "Grpc-Status", "99"); _, _ = w.Write(nil) }, "CODE_99"},
		{"details that are none", "GetItem", func(w http.ResponseWriter, _ *http.Request) {
			grpc(w, "Grpc-Status", "3", "Grpc-Status-Details-Bin", "!!!")
			_, _ = w.Write(nil)
		}, "INVALID_ARGUMENT"},
		{"a redirect", "GetItem", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, away+"/x", http.StatusTemporaryRedirect)
		}, "HTTP 307"},
		{"a web page", "GetItem", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "the answer is not gRPC but text/html"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := hostile(t, tt.answer)
			got, err := called(t, Options{Dir: dir, Memory: 32 << 20, Globals: map[string]any{"U": u}}, `return grpc.connect(U, {descriptors = "all.pb"}):call("shop.v1.Shop/`+tt.method+`", {})`)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v, want %q", got, err, tt.want)
			}
		})
	}
	if elsewhere > 0 {
		t.Error("a redirect was followed")
	}
}

// A server cannot have a script loop, or take its types for the standard ones.
func TestGRPCHostileTypes(t *testing.T) {
	file := func(text string) []byte {
		f := &descriptorpb.FileDescriptorProto{}
		if err := prototext.Unmarshal([]byte(text), f); err != nil {
			t.Fatal(err)
		}
		b, err := proto.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	service := ` service { name: "S" method { name: "M" input_type: ".x.T" output_type: ".x.T" } } message_type { name: "T" }`
	tests := []struct {
		name  string
		files func(asked fieldValues, n int) [][]byte
		want  string
	}{
		{"a cycle", func(asked fieldValues, _ int) [][]byte {
			if path := asked[askFile]; len(path) > 0 && string(path[0]) == "b.proto" {
				return [][]byte{file(`name: "b.proto" package: "y" syntax: "proto3" dependency: "a.proto"`)}
			}
			return [][]byte{file(`name: "a.proto" package: "x" syntax: "proto3" dependency: "b.proto"` + service)}
		}, "map[]"},
		{"a file that imports itself", func(fieldValues, int) [][]byte {
			return [][]byte{file(`name: "a.proto" package: "x" syntax: "proto3" dependency: "a.proto"` + service)}
		}, "map[]"},
		{"files without end", func(_ fieldValues, n int) [][]byte {
			return [][]byte{file(fmt.Sprintf(`name: "%d.proto" package: "x%d" syntax: "proto3" dependency: "%d.proto"`, n, n, n+1))}
		}, "more than 1000 times"},
		{"another file than that asked for", func(asked fieldValues, _ int) [][]byte {
			return [][]byte{file(`name: "a.proto" package: "x" syntax: "proto3" dependency: "b.proto"` + service)}
		}, "map[]"},
		{"a standard type elsewhere", func(fieldValues, int) [][]byte {
			return [][]byte{file(`name: "a.proto" package: "google.protobuf" syntax: "proto3" message_type { name: "Timestamp" field { name: "seconds" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL } }`)}
		}, `unknown service or type "x.S"`},
		{"a standard type within a message", func(fieldValues, int) [][]byte {
			return [][]byte{file(`name: "a.proto" package: "google" syntax: "proto3" message_type { name: "protobuf" nested_type { name: "Any" } }`)}
		}, `unknown service or type "x.S"`},
		{"a file that is none", func(fieldValues, int) [][]byte { return [][]byte{{0xff}} }, "does not end"},
		{"types of nothing", func(fieldValues, int) [][]byte { return [][]byte{bytes.Repeat([]byte{4<<3 | 2, 0}, 1<<16)} }, "unknown service or type"},
		{"no file", func(fieldValues, int) [][]byte { return nil }, "did not send the types of x.S"},
		{"without the service", func(fieldValues, int) [][]byte {
			return [][]byte{file(`name: "a.proto" package: "x" syntax: "proto3"`)}
		}, "unknown service or type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			u := hostile(t, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				asked := valuesOf(b[5:])
				var files []byte
				for _, f := range tt.files(asked, n) {
					files = append(append(files, appendTag(1, len(f))...), f...)
				}
				n++
				answer := append(appendTag(answerFiles, len(files)), files...)
				if len(asked[askServices]) > 0 {
					answer = append(appendTag(answerServices, 7), append(appendTag(1, 5), append(appendTag(1, 3), "x.S"...)...)...)
				}
				w.Header().Set("Content-Type", "application/grpc")
				w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
				_, _ = w.Write(framed(answer))
			})
			got, err := called(t, Options{Memory: 32 << 20, Globals: map[string]any{"U": u}}, `return grpc.connect(U):call("x.S/M", {})`)
			if all := fmt.Sprint(got, err); !strings.Contains(all, tt.want) {
				t.Errorf("%s, want %q", all, tt.want)
			}
		})
	}
}

func dynamicMessage(d protoreflect.Descriptor) proto.Message {
	return dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
}

// appendTag begins a field of n bytes.
func appendTag(field protowire.Number, n int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), uint64(n))
}

func pemOf(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

// A rawCodec leaves messages as the bytes that they are on the wire.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(message any) ([]byte, error) {
	if b, ok := message.(*[]byte); ok {
		return *b, nil
	}
	return proto.Marshal(message.(proto.Message))
}

func (rawCodec) Unmarshal(b []byte, message any) error {
	if to, ok := message.(*[]byte); ok {
		*to = bytes.Clone(b)
		return nil
	}
	return proto.Unmarshal(b, message.(proto.Message))
}

// standardFile returns a file of the language.
func standardFile(path string) *descriptorpb.FileDescriptorProto {
	f, err := protoregistry.GlobalFiles.FindFileByPath(path)
	if err != nil {
		return nil
	}
	return protodesc.ToFileDescriptorProto(f)
}

// fieldValues are the strings, bytes and messages of a message, by field.
type fieldValues map[protowire.Number][][]byte

func valuesOf(b []byte) fieldValues {
	out := fieldValues{}
	for len(b) > 0 {
		n, kind, size := protowire.ConsumeTag(b)
		if size < 0 {
			return out
		}
		if v, _ := protowire.ConsumeBytes(b[size:]); kind == protowire.BytesType {
			out[n] = append(out[n], v)
		}
		more := protowire.ConsumeFieldValue(n, kind, b[size:])
		if more < 0 {
			return out
		}
		b = b[size+more:]
	}
	return out
}

const (
	askFile, askServices        = 3, 7
	answerFiles, answerServices = 4, 6
)

// called runs a script that has the module.
func called(t testing.TB, o Options, src string) (any, error) {
	t.Helper()
	o.Require = packed
	return eval(t, o, `local grpc = require("assay.grpc") `+src)
}

// packed finds the modules that come with the program.
func packed(name string) ([]byte, string, error) {
	src, ok := stdlib.Source(strings.TrimPrefix(name, "assay."))
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return src, "@" + name, nil
}

// FuzzProtobuf holds the module's reading and writing of messages to those of the library: whatever bytes this takes for a message,
// the module reads, and writes as the same message.
func FuzzProtobuf(f *testing.F) {
	_, files := shopFiles(f)
	d, err := files.FindDescriptorByName("shop.v1.Everything")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		`small_int: -3 big_int: -9223372036854775808 big_uint: 18446744073709551615 raw: "\377\000" color: COLOR_RED share: -0.1`,
		`counts { key: "a" value: -1 } counts { key: "" } items { name: "x" unit_price: 5 } items {} words: "" words: "u" note: ""`,
		`at { seconds: -1 nanos: 5 } took { seconds: -1 nanos: -500000000 } limit {} mask { paths: "a_b" paths: "c.d" } by_item {} inner { inner { share: inf } }`,
		`at { seconds: 99999999999999 } labels { fields { key: "a" value { list_value { values { null_value: NULL_VALUE } values { number_value: 1.5 } values { bool_value: false } values { struct_value {} } } } } }`,
		`extra { type_url: "type.googleapis.com/shop.v1.Item" value: "\012\001x" } color: 7 by_name: ""`,
	} {
		m := dynamicMessage(d)
		if err := prototext.Unmarshal([]byte(text), m); err != nil {
			f.Fatal(err)
		}
		b, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(bytes.Repeat([]byte{19<<3&0x7f | 0x80, 1, 0}, 3))
	set, _ := shopFiles(f)
	var own []any
	for _, file := range set.File[6:] {
		b, err := proto.Marshal(file)
		if err != nil {
			f.Fatal(err)
		}
		own = append(own, string(b))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want := dynamicMessage(d)
		failed := proto.UnmarshalOptions{RecursionLimit: 90, DiscardUnknown: true}.Unmarshal(b, want)
		got, err := called(t, Options{Require: packed, Globals: map[string]any{"FILES": own, "B": string(b)}},
			`local types = require("assay._protobuf").standards() for _, f in ipairs(FILES) do types:add(f) end local n = "shop.v1.Everything" return types:encode(types:decode(B, n), n)`)
		if failed != nil || lossy(want.ProtoReflect()) {
			return // what the library refuses the module may read, but it ends
		}
		if err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		again := dynamicMessage(d)
		if err := proto.Unmarshal([]byte(got.(string)), again); err != nil || !proto.Equal(want, again) {
			t.Errorf("%q: %v\n%v\n%v", b, err, want, again)
		}
	})
}

// lossy reports whether a message has a standard one without a form in JSON, which is not read again as it was.
func lossy(m protoreflect.Message) bool {
	_, err := protojson.Marshal(m.Interface())
	return err != nil
}
