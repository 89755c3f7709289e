package clang

var cCases = []example{
	{"c", `includes and macros`, `#ifndef A_H
#define A_H
#include <stdio.h>
#include "my/b.h"
#ifdef _WIN32
#include <windows.h>
#endif
/* The largest. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIMIT 10
#define GLOB "/*"
#define LONG(x, ...) \
	do { f(x); } while (0)
#endif
`, `macro MAX(a | b) exported doc="/* The largest. */" body="((a) > (b) ? (a) : (b))"
macro LIMIT exported body="10"
macro GLOB exported body="\"/*\""
macro LONG(x | ...) exported body="do { f(x); } while (0)"
import stdio.h system
import my/b.h relative
import windows.h conditional system
call f -1
`},
	{"c", `functions`, `/** Adds. */
static inline int add(int a, const struct point *b, int (*cb)(int, void *), char buf[10], ...)
{
	return a;
}
LUA_API int (lua_gettop) (lua_State *L);
void (*signal(int sig, void (*func)(int)))(int);
static struct timespec conv(double t) { }
int f(void), g;
VOID
NTAPI
call(void) { }
`, `function add(int a | const struct point *b | int (*cb)(int, void *) | char buf[10] | ...) -> int doc="/** Adds. */" body="{\n\treturn a;\n}"
function lua_gettop(lua_State *L) -> int abstract exported body=""
function signal(int sig | void (*func)(int)) -> void abstract exported body=""
function conv(double t) -> struct timespec body="{ }"
function f() -> int abstract exported body=""
function call() -> NTAPI exported body="{ }"
bind a#1: int
bind b#2: const struct point *
bind cb#3: int (*)
bind buf#4: char
bind () = a
bind L#1: lua_State *
bind sig#1: int
bind func#2: void (*)
bind t#1: double
`},
	{"c", `macros before and behind`, `CURL_EXTERN CURLcode curl_easy(int x);
API_EXPORT(void) api_do(int a);
__attribute__((noreturn)) void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int late(int) __THROW __nonnull((1));
MODULE_LICENSE("GPL");
DECLARE(x)
static STDMETHODIMP name(int);
`, `function curl_easy(int x) -> CURLcode abstract exported body=""
function api_do(int a) -> void abstract exported body=""
function die(const char *fmt | ...) -> void @noreturn abstract exported body=""
function late(int) -> int abstract exported body=""
function name(int) -> STDMETHODIMP abstract body=""
call MODULE_LICENSE 1
call DECLARE 1
bind x#1: int
bind a#1: int
bind fmt#1: const char *
`},
	{"c", `old style`, `int old(a, b)
	int a;
	char *b;
{
	return a;
}
main() { run(); }
`, `function old(a | b) -> int exported body="{\n\treturn a;\n}"
function main() exported body="{ run(); }"
call run 0
bind a#1: int
bind b#2: char *
bind () = a
`},
	{"c", `a macro that defines`, `SYSCALL_DEFINE2(open, const char *, name, int, flags) { do_open(name); }
TEST_IMPL(tcp_open) { go(); }
`, `function open @SYSCALL_DEFINE2 exported body="{ do_open(name); }"
function tcp_open @TEST_IMPL exported body="{ go(); }"
call do_open 1
call go 0
`},
	{"c", `types`, `struct node { int a, *b; struct node *next; int (*cmp)(const void *); size_t (*size)(int); union { int u; } in; unsigned f : 3; BIT(done); };
typedef struct { int x; } vec, *vecp;
typedef struct list list;
typedef struct client { int fd; } client;
typedef int (*cb_t)(int);
typedef void fn_t(int);
typedef enum { A, B = f(1) } e_t;
struct fwd;
enum color { RED } now;
enum { ONE = 1, LIST(x) TWO };
`, `struct node exported body="{ int a, *b; str…; };"
struct vec exported body=", *vecp;"
type vecp -> struct vec exported body=""
type list -> struct list exported body=""
struct client exported body="{ int fd; }"
type cb_t -> int (*) exported body=""
type fn_t -> void exported body=""
enum e_t exported body=";"
enum color exported body="{ RED }"
variable now -> enum color exported body=""
constant ONE exported body=""
call f 1
call LIST 1
bind a: int
bind b: int
bind next: struct node *
bind cmp: int (*)
bind size: size_t (*)
bind u: int
bind in
bind f: unsigned
bind done
bind x: int
bind fd: int
bind A: e_t
bind B: e_t
bind RED: color
bind now: enum color
`},
	{"c", `variables`, `extern int errors;
const char *const names[] = { "a", NAME(x) };
static struct node *head = NULL, tail;
static void (*handler)(int) = 0;
struct ops o = { .open = my_open, .n = count() };
`, `variable errors -> int abstract exported body=""
constant names -> const char *const exported body=""
variable head -> struct node * body="= NULL"
variable tail -> struct node * body=""
variable handler -> void (*) body=""
variable o -> struct ops exported body="= { .open = my_o…) };"
call NAME 1
call count 0
bind errors: int
bind names: const char *const
bind head: struct node *
bind tail: struct node *
bind handler: void (*)
bind o: struct ops
`},
	{"c", `statements`, `void f(void)
{
	int n = sum(a), *m = &b->x, k;
	struct point *p = (struct point *)malloc(sizeof(struct point));
	foo_t q = make(1)->next;
	if (n && check(b)) run();
	for (int i = 0; i < len(p); i++) p->run(q.fn(n));
	size = (uint64_t) n * times(2);
	(cb)(1, 0);
	(*cb)(1, 0);
	CFRef (*pc)(int) = get();
	p = other(p);
	asm volatile("x" : "=r"(n));
	foreach(x, list) { each(x); }
	struct in { int a; } v;
	return p->up(1);
}
`, `function f() -> void exported body="{\n\tint n = sum(a…);\n}"
struct in exported body="{ int a; }"
call sum 1
call malloc 1
call make 1
call check 1
call run 0
call len 1
call run of p 1
call fn of q 1
call times 1
call get 0
call other 1
call foreach 2
call each 1
call up of p 1
bind n: int = sum()
bind m: int = b.x
bind k: int
bind p: struct point *
bind q: foo_t = make().next
bind i: int
bind size: uint64_t
bind pc: CFRef (*)
bind p = other()
bind a: int
bind v: struct in
bind () = p.up()
`},
	{"c", `branches open braces twice`, `#ifdef A
int two(int a) {
#else
int two(int a, int b) {
#endif
	return one(a);
}
#if 0
int dead(void) { never(); }
#else
int alive(void) {
	if (x(1)) {
#ifdef B
	} else if (y(1)) {
#else
	} else if (z(1)) {
#endif
	}
}
#endif
#ifdef __cplusplus
extern "C" {
#endif
int after(void) { }
#ifdef __cplusplus
}
#endif
`, `function two(int a) -> int exported body="{\n#else\nint two(…);\n}"
function two(int a | int b) -> int local exported body="{\n#endif\n\treturn…);\n}"
function alive() -> int exported body="{\n\tif (x(1)) {\n#…\t}\n}"
function after() -> int exported body="{ }"
call one 1
call x 1
call y 1
call z 1
bind a#1: int
bind a#1: int
bind b#2: int
bind () = one()
`},
	{"c", `conflict`, `<<<<<<< HEAD
int a(void) { f(); }
=======
int b(void) { g(); }
>>>>>>> other
`, `function a() -> int exported body="{ f(); }"
function b() -> int exported body="{ g(); }"
call f 0
call g 0
`},
	{"c", `broken`, `int a(void) {
	if (x) {
	f();
}

static int b(int y)
{
	g(;
}
`, `function a() -> int exported body="{\n\tif (x) {\n\tf()…(;\n}"
function b(int y) -> int local body="{\n\tg(;\n}"
call f 0
call g 1
bind y#1: int
`},
}
