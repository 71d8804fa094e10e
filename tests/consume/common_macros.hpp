// SPDX-License-Identifier: MIT
// Macros that programs and common headers define. tests/tools/common_macros_test.py includes all of xgrad after them.
#pragma once
// clang-format off

// Programs: constants of one letter, short names, old helpers.
#define A 1
#define B 2
#define C 3
#define D 4
#define E 2.718281828
#define G 6.674e-11
#define H 8
#define I 9
#define J 10
#define K 11
#define L 12
#define M 13
#define N 5
#define O 15
#define P 16
#define Q 17
#define R 8.314
#define S 19
#define T 20
#define U 21
#define V 22
#define W 23
#define X 24
#define Y 25
#define Z 26
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define ABS(x) ((x) < 0 ? -(x) : (x))
#define SWAP(x, y) do { auto t = x; x = y; y = t; } while (0)
#define EPS 1e-9
#define EPSILON 1e-9
#define INF 1000000000
#define SIZE 100
#define NAME "program"
#define VERSION "1.0"
#define DEBUG 1
#define INFO 2
#define WARNING 3
#define FATAL 4
#define LOG(x) (void)(x)
#define CHECK(x) (void)(x)
#define TEST(x) void test_##x()
#define FAIL() (void)0
#define rep(i, n) for (int i = 0; i < (n); ++i)
#define all(x) (x).begin(), (x).end()
#define each(x, list) for (auto& x : list)
#define sz(x) static_cast<int>((x).size())
#define sign(x) ((x) < 0 ? -1 : 1)
#define swap(x, y) exchange_values(x, y)
#define sqr(x) ((x) * (x))
#define concat(x, y) x##y
#define join(x, y) x##y
#define test(x) (void)(x)
#define dump(x) (void)(x)
#define debug(x) (void)(x)
#define trace(x) (void)(x)
#define ensure(x) (void)(x)
#define repeat do
#define until(x) while (!(x))
#define loop for (;;)
#define scalar double
#define real double
#define index 0
#define direct 1
#define first 1
#define second 2
#define last 3
#define common static
#define dim 3
#define size 100
#define rank 0
#define rows 10
#define cols 10
#define batch 32
#define eps 1e-9
#define alpha 0.1
#define beta 0.9
#define gamma 0.5
#define text "text"
#define status 0

// <windows.h> and what it includes.
#define min(x, y) (((x) < (y)) ? (x) : (y))
#define max(x, y) (((x) > (y)) ? (x) : (y))
#define near
#define far
#define small char
#define hyper long long
#define byte unsigned char
#define interface struct
#define pascal
#define cdecl
#define IN
#define OUT
#define OPTIONAL
#define ERROR 0
#define NO_ERROR 0
#define DELETE 0x10000
#define CONST const
#define VOID void
#define STRICT 1
#define THIS void
#define TRUE 1
#define FALSE 0
#define CALLBACK
#define GetObject GetObjectW
#define CreateWindow CreateWindowW
#define SendMessage SendMessageW

// X11.
#define None 0L
#define True 1
#define False 0
#define Status int
#define Bool int
#define Success 0
#define Always 2
#define Above 0
#define Below 1
#define Complex 0
#define Convex 2
#define Unsorted 0
#define FocusIn 9
#define Expose 12

// curses, termios, complex.h, sys/sysmacros.h, sys/param.h, netdb.h.
#define OK 0
#define ERR (-1)
#define erase() werase(stdscr)
#define clear() wclear(stdscr)
#define move(y, x) wmove(stdscr, y, x)
#define box(w, v, h) wborder(w, v, h)
#define timeout(t) wtimeout(stdscr, t)
#define refresh() wrefresh(stdscr)
#define filter() nofilter()
#define scroll(w) wscrl(w, 1)
#define raw() noraw()
#define beep() flash()
#define lines CUR lines
#define columns CUR columns
#define B0 0000000
#define ECHO 0000010
#define major(dev) gnu_dev_major(dev)
#define minor(dev) gnu_dev_minor(dev)
#define makedev(x, y) gnu_dev_makedev(x, y)
#define h_addr h_addr_list[0]

// Arduino.
#define F(literal) (literal)
#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define abs(x) ((x) > 0 ? (x) : -(x))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x) - 0.5))
#define radians(x) ((x) * 0.0174532925)
#define degrees(x) ((x) * 57.295779513)
#define constrain(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))
#define sq(x) ((x) * (x))
#define bit(b) (1UL << (b))
#define word(...) makeWord(__VA_ARGS__)
#define boolean bool
#define HIGH 1
#define LOW 0
#define INPUT 0
#define OUTPUT 1
#define DEFAULT 1

// Qt.
#define emit
#define slots
#define signals public
#define foreach(variable, container) for (variable : container)
#define forever for (;;)

// R, Python, macOS.
#define length Rf_length
#define error Rf_error
#define warning Rf_warning
#define eval Rf_eval
#define install Rf_install
#define match Rf_match
#define T_INT 1
#define READONLY 1
#define check(assertion) (void)(assertion)
#define verify(assertion) (void)(assertion)
#define require(assertion, label) (void)(assertion)
#define nil 0
#define YES 1
#define NO 0

// Attributes and compilers of other languages.
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define fallthrough __attribute__((__fallthrough__))
#define unused __attribute__((__unused__))
#define noreturn __attribute__((__noreturn__))
#define deprecated __attribute__((__deprecated__))
#define noinline __attribute__((__noinline__))
#define always_inline inline __attribute__((__always_inline__))
#define cold __attribute__((__cold__))
#define flatten __attribute__((__flatten__))
#define assume(x) (void)(x)
#define host __attribute__((host))
#define device __attribute__((device))
#define global __attribute__((global))
#define shared __attribute__((shared))
#define constant __attribute__((constant))
#define kernel __attribute__((kernel))
#define uniform
#define varying
