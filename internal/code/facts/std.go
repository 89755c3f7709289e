package facts

import "github.com/assay-dev/assay/internal/base/lazy"

import "strings"

func pythonStd(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return pythonNames.Has(first)
}

func nodeStd(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return nodeNames.Has(first)
}

// pythonNames are the modules of CPython 3.8 to 3.14 that programs import.
var pythonNames = lazy.Words(`__future__ abc argparse array ast asyncio atexit base64 bisect builtins bz2 calendar cProfile cgi cmath cmd code codecs codeop
collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis
distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob
graphlib grp gzip hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal
math mimetypes mmap modulefinder msvcrt multiprocessing netrc ntpath numbers operator optparse os pathlib pdb pickle pickletools pipes pkgutil platform plistlib
poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys
sysconfig syslog tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types
typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo _thread`)

var nodeNames = lazy.Words(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https
inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder test timers tls tty url util v8 vm wasi
worker_threads zlib`)
