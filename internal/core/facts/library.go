package facts

// library reports whether a language has a function of a name everywhere. A file that declares
// one of its own, to trace calls or for a system that lacks it, means it there and where it is
// taken in, not in the whole project.
func library(lang, name string) bool {
	switch lang {
	case "lua":
		return ofLua[name]
	case "clang":
		return ofC[name]
	}
	return false
}

// The functions of Lua 5.4's base library (reference manual, §6.1), and those of 5.1.
var ofLua = set(`assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring module next pairs pcall print rawequal rawget rawlen rawset require
select setmetatable tonumber tostring type unpack warn xpcall`)

// Functions of C's library (ISO C, stdio, stdlib, string) and of POSIX that programs replace.
var ofC = set(`abort abs access atexit atof atoi atol bind bsearch calloc chdir chmod close connect dup dup2 execve exit fclose fcntl feof ferror fflush fgetc fgets
fopen fork fprintf fputc fputs fread free freopen fscanf fseek fstat ftell ftruncate fwrite getc getchar getcwd getenv getpid gettimeofday isatty kill listen
longjmp lseek lstat malloc memchr memcmp memcpy memmove memset mkdir mmap munmap nanosleep open perror pipe poll printf
pthread_create pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
pthread_once pthread_setspecific putc putchar puts qsort raise rand read realloc recv remove rename rewind rmdir scanf select send setenv setjmp setlocale shutdown
sigaction signal sleep snprintf socket sprintf srand sscanf stat strcasecmp strcat strchr strcmp strcpy strcspn strdup strerror strftime strlen strncasecmp strncat
strncmp strncpy strpbrk strrchr strspn strstr strtod strtok strtol strtoll strtoul strtoull time tolower toupper ungetc unlink usleep vfprintf vprintf vsnprintf
vsprintf waitpid write`)
