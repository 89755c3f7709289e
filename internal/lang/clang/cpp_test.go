package clang

var cppCases = []example{
	{"cpp", `namespaces`, `namespace a::b {
namespace {
int hidden() { return 1; }
}
inline namespace v1 { void in(); }
void T::out() { }
}
namespace fs = std::filesystem;
using namespace std;
extern "C" { void inner(); }
extern "C" int one(int);
`, `module a::b exported body="{\nnamespace {\nin… }\n}"
function hidden() -> int body="{ return 1; }"
module v1 exported body="{ void in(); }"
function in() -> void abstract exported body=""
method a::b.T.out() -> void exported body="{ }"
function inner() -> void abstract exported body=""
function one(int) -> int abstract exported body=""
bind fs = std.filesystem
`},
	{"cpp", `macros in a class`, `class URL {
  URL(Host);
  NO_COPY_AND_ASSIGN(URL);
  int port;
};
`, `class URL exported body="{\n  URL(Host);\n …;\n};"
method URL(Host) abstract constructor body=""
bind port: int
`},
	{"cpp", `instantiations declare nothing`, `template class EXPORT Family<Counter>;
extern template class Family<Gauge>;
template Family<Counter>& Registry::Add(const std::string&);
extern template int one<int>(int);
int after();
`, `function after() -> int abstract exported body=""
`},
	{"cpp", `conditions as template arguments`, `template <typename T>
enable_if_t<!is_enum<T>::value && !is_base_of<B, T>::value, string> text(T const& x) { return f(); }
struct S {
  template <class T> if_t<a<T>::v || b<T>::v> put(T);
};
int g() { return a < b && c > (d); }
`, `function text(T const& x) -> enable_if_t<!is_enum<T>::value && !is_base_of<B, T>::value, string> exported body="{ return f(); }"
struct S exported body="{\n  template <cl…;\n};"
method put(T) -> if_t<a<T>::v || b<T>::v> abstract exported body=""
function g() -> int exported body="{ return a < b &…); }"
call f 0
bind x#1: T const&
bind () = f()
`},
	{"cpp", `a class`, `// A shape.
template <typename T, typename U = std::vector<T>>
class EXPORT Shape final : public Base<T>, private virtual ns::Other {
 public:
  Shape() = default;
  explicit Shape(int x, std::string s = make("d")) : Base<T>(init(x)), s_{s}, y_(0) { setup(); }
  virtual ~Shape();
  virtual int area(const T& t) const = 0;
  static Shape* create();
  auto get() const -> std::vector<int> { return v_; }
  template <class V> void put(V&& v) { impl_->put(std::forward<V>(v)); }
  friend bool operator<(const Shape& a, const Shape& b) { return a.less(b); }
  friend class Peer;
  using value_type = T;
 private:
  void priv() EXCLUSIVE_LOCKS_REQUIRED(mu_);
  int x_ = first(), y_;
  std::unique_ptr<Impl> impl_ GUARDED_BY(mu_);
  std::function<void(int)> cb_;
};
enum class Color : uint8_t { kRed, kBlue };
`, `class Shape : Base<T> | ns::Other exported doc="// A shape." body="{\n public:\n  Sha…;\n};"
method Shape() abstract constructor exported body=""
method Shape(int x | std::string s = make("d")) constructor exported body="{ setup(); }"
method ~Shape() abstract exported body=""
method area(const T& t) -> int abstract exported body=""
method create() -> Shape* static abstract exported body=""
method get() -> std::vector<int> exported body="{ return v_; }"
method put(V&& v) -> void exported body="{ impl_->put(std…); }"
function operator<(const Shape& a | const Shape& b) -> bool exported body="{ return a.less(b); }"
type value_type -> T exported body=""
method priv() -> void abstract body=""
enum Color : uint8_t exported body="{ kRed, kBlue };"
call make 1
call init 1
call setup 0
call put of impl_ 1
call forward of std 1
call less of a 1
call first 0
bind x#1: int
bind s#2: std::string
bind t#1: const T&
bind () = v_
bind v#1: V&&
bind a#1: const Shape&
bind b#2: const Shape&
bind () = a.less()
bind x_: int = first()
bind y_: int
bind impl_: std::unique_ptr<Impl>
bind cb_: std::function<void(int)>
bind kRed: Color
bind kBlue: Color
`},
	{"cpp", `operators`, `struct A {
  bool operator==(const A& o) const { return eq(o); }
  operator bool() const;
  T& operator[](size_t i) noexcept;
  void operator()(int);
  A& operator=(A&&) = delete;
};
A operator""_a(const char* s);
void* operator new(size_t n);
B::operator int() { }
`, `struct A exported body="{\n  bool operato…;\n};"
method operator==(const A& o) -> bool exported body="{ return eq(o); }"
method operator bool() abstract exported body=""
method operator[](size_t i) -> T& abstract exported body=""
method operator()(int) -> void abstract exported body=""
method operator=(A&&) -> A& abstract exported body=""
function operator""_a(const char* s) -> A abstract exported body=""
function operator new(size_t n) -> void* abstract exported body=""
method B.operator int() exported body="{ }"
call eq 1
bind o#1: const A&
bind () = eq()
bind i#1: size_t
bind s#1: const char*
bind n#1: size_t
`},
	{"cpp", `out of line`, `void Shape<int>::draw(Canvas& c) { c.go(); }
Shape<T>::~Shape() { bye(); }
Shape<T>::Shape(int a) : Base(a), b_(mk(a)) { }
int Shape::count = compute();
template <> struct hash<Foo> { size_t operator()(const Foo& f) const { return h(f); } };
`, `method Shape.draw(Canvas& c) -> void exported body="{ c.go(); }"
method Shape.~Shape() exported body="{ bye(); }"
method Shape.Shape(int a) constructor exported body="{ }"
variable Shape.count -> int exported body="= compute();"
struct hash exported body="{ size_t operato…} };"
method operator()(const Foo& f) -> size_t exported body="{ return h(f); }"
call go of c 0
call bye 0
call mk 1
call compute 0
call h 1
bind c#1: Canvas&
bind a#1: int
bind count: int = compute()
bind f#1: const Foo&
bind () = h()
`},
	{"cpp", `statements`, `void f() {
  auto p = std::make_unique<Foo>(1, 2);
  auto q = new ns::Bar<int>(p.get());
  Foo f(1), g{2}, h(i);
  Foo r = Foo{1}.run();
  for (auto& x : items()) x.go();
  for (const auto& [k, v] : map_) use(k);
  ::close(fd);
  ::ns::g(1);
  this->x_ = mk();
  q->~Bar();
  auto* w = static_cast<Widget*>(q);
  std::cout << a << f(b) << std::endl;
  if (a < b && c > (d)) e<int>(f);
  int big = 1'000'000;
  auto s = R"x(
 not { code( )x";
  using T = decltype(never());
  try { t(); } catch (const Err& e) { e.what(); }
  return Foo{3};
}
`, `function f() -> void exported body="{\n  auto p = std…};\n}"
type T -> decltype(never()) exported body=""
call make_unique of std 2
call Bar of ns 1 new
call get of p 0
call Foo 1 new
call run of ? 0
call items 0
call go of x 0
call use 1
call close 1
call g of ns 1
call mk 0
call ~Bar of q 0
call f 1
call e 1
call t 0
call what of e 0
call Foo 1 new
bind p: std::unique_ptr<Foo>
bind q = ns.Bar()
bind f: Foo
bind g: Foo
bind h: Foo
bind r: Foo
bind x = items()[]
bind k
bind v
bind this.x_ = mk()
bind w: Widget*
bind big: int
bind s
bind e: const Err&
bind () = Foo()
`},
	{"cpp", `lambdas`, `void f() {
  auto fn = [this, &c](int n) -> int { return c.fill(n); };
  run([&](Foo& z) { z.call(); });
  fn_ = [] { g(); };
  int n = [] { return h(); }();
}
`, `function f() -> void exported body="{\n  auto fn = [t…);\n}"
function fn(int n) -> int local body="{ return c.fill(n); }"
function fn_ local body="{ g(); }"
call fill of c 1
call run 1
call call of z 0
call g 0
call h 0
bind fn
bind n#1: int
bind () = c.fill()
bind z: Foo&
bind n: int
`},
	{"cpp", `aliases and concepts`, `template <typename T> using Vec = std::vector<T>;
template <typename T> concept Num = std::is_integral_v<T>;
template <typename T> requires Num<T> T twice(T t) { return t; }
static_assert(sizeof(int) == 4, "x");
std::string str("abc", 3);
constexpr int kMax = 3;
TEST_F(ShapeTest, Draws) { EXPECT_EQ(1, f()); }
[[nodiscard]] int n();
`, `type Vec -> std::vector<T> exported body=""
type Num exported body=""
function twice(T t) -> T exported body="{ return t; }"
variable str -> std::string exported body=""
constant kMax -> int exported body="= 3;"
function Draws @TEST_F exported body="{ EXPECT_EQ(1, f()); }"
function n() -> int @nodiscard abstract exported body=""
call EXPECT_EQ 2
call f 0
bind t#1: T
bind () = t
bind str: std::string
bind kMax: int
`},
}
