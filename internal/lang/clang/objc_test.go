package clang

var objcCases = []example{
	{"objc", `a class`, `#import <Foundation/Foundation.h>
#import "Foo.h"
@import UIKit;
@class Bar, Baz;
@protocol P;
/// A foo.
@interface Foo : NSObject <P, Q> {
  int _x;
  Bar *_bar;
}
@property (nonatomic, strong, nullable) Bar *bar;
@property (nonatomic, copy) void (^done)(BOOL ok);
/// Makes.
- (instancetype)initWithFrame:(CGRect)frame style:(NSInteger)style NS_DESIGNATED_INITIALIZER;
+ (Foo *)shared;
@end
@interface Foo (Cat) <R>
- (void)extra;
@end
@protocol P <NSObject>
@optional
- (void)foo:(Foo *)f didDo:(id)x;
@end
`, `class Foo : NSObject | P | Q exported doc="/// A foo." body="{\n  int _x;\n  Ba…@end"
method initWithFrame((CGRect)frame | style:(NSInteger)style) -> instancetype abstract constructor exported doc="/// Makes." body=""
method shared() -> Foo * static abstract exported body=""
class Foo : R extension exported body="- (void)extra;\n@end"
method extra() -> void abstract exported body=""
interface P : NSObject exported body="@optional\n- (voi…@end"
method foo((Foo *)f | didDo:(id)x) -> void abstract exported body=""
import Foundation/Foundation.h system
import Foo.h relative
import UIKit system
bind _x: int
bind _bar: Bar *
bind bar: Bar *
bind done: void (^)
bind frame#1: CGRect
bind style#2: NSInteger
bind f#1: Foo *
bind x#2: id
`},
	{"objc", `an implementation`, `static int helper(int a) { return a; }
@implementation Foo
@synthesize bar = _bar;
+ (Foo *)shared {
  static Foo *f;
  dispatch_once(&once, ^{ f = [[self alloc] init]; });
  return f;
}
- (instancetype)initWithFrame:(CGRect)frame {
  if (self = [super initWithFrame:frame]) {
    Bar *b = [[Bar alloc] init];
    NSArray<Bar *> *all = @[ [Bar new], @"x" ];
    self.bar = [Bar barWithName:@"n" size:[self.bar size]];
    [self.bar.items[0] go:x ? [y z] : 0 with:^(int n) { [n hit]; }];
    void (^blk)(int) = ^(int k) { [self use:k]; };
    self.done = ^(BOOL ok) { [self finish]; };
    a[i] = [(Foo *)q name];
    for (Bar *t in [self bars]) { [t go]; }
    NSDictionary *d = @{ @"k": @(count(1)) };
    @synchronized (self) { [self lock]; }
    SEL s = @selector(never:);
    blk(1);
  }
  return self;
}
@end
`, `function helper(int a) -> int body="{ return a; }"
class Foo extension exported body="@synthesize bar …@end"
method shared() -> Foo * static exported body="{\n  static Foo *…f;\n}"
method initWithFrame((CGRect)frame) -> instancetype constructor exported body="{\n  if (self = […f;\n}"
function blk(int k) local body="{ [self use:k]; }"
function done(BOOL ok) local body="{ [self finish]; }"
call dispatch_once 2
call alloc of self 0
call init of self.alloc() 0
call initWithFrame of super 1
call alloc of Bar 0
call init of Bar.alloc() 0
call new of Bar 0
call barWithName of Bar 2
call size of self.bar 0
call go of self.bar.items[] 2
call z of y 0
call hit of n 0
call use of self 1
call finish of self 0
call name of q 0
call bars of self 0
call go of t 0
call count 1
call lock of self 0
call blk 1
bind a#1: int
bind () = a
bind f: Foo *
bind f = self.alloc().init()
bind () = f
bind frame#1: CGRect
bind self = super.initWithFrame()
bind b: Bar * = Bar()
bind all: NSArray<Bar *> *
bind n: int
bind blk: void (*)
bind k#1: int
bind ok#1: BOOL
bind t: Bar *
bind d: NSDictionary *
bind s: SEL
bind () = self
`},
}
