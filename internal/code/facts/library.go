package facts

import "github.com/assay-dev/assay/internal/base/lazy"

// library reports whether a language has a function of a name everywhere. A file that declares
// one of its own, to trace calls or for a system that lacks it, means it there and where it is
// taken in, not in the whole project.
func library(lang, name string) bool {
	switch lang {
	case "lua":
		return ofLua.Has(name)
	case "clang":
		return ofC.Has(name)
	}
	return false
}

// The functions of Lua 5.4's base library (reference manual, §6.1), and those of 5.1.
var ofLua = lazy.Words(`assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring module next pairs pcall print rawequal rawget rawlen rawset require
select setmetatable tonumber tostring type unpack warn xpcall`)

// Functions of C's library (ISO C, stdio, stdlib, string) and of POSIX that programs replace.
var ofC = lazy.Words(`abort abs access atexit atof atoi atol bind bsearch calloc chdir chmod close connect dup dup2 execve exit fclose fcntl feof ferror fflush fgetc fgets
fopen fork fprintf fputc fputs fread free freopen fscanf fseek fstat ftell ftruncate fwrite getc getchar getcwd getenv getpid gettimeofday isatty kill listen
longjmp lseek lstat malloc memchr memcmp memcpy memmove memset mkdir mmap munmap nanosleep open perror pipe poll printf
pthread_create pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
pthread_once pthread_setspecific putc putchar puts qsort raise rand read realloc recv remove rename rewind rmdir scanf select send setenv setjmp setlocale shutdown
sigaction signal sleep snprintf socket sprintf srand sscanf stat strcasecmp strcat strchr strcmp strcpy strcspn strdup strerror strftime strlen strncasecmp strncat
strncmp strncpy strpbrk strrchr strspn strstr strtod strtok strtol strtoll strtoul strtoull time tolower toupper ungetc unlink usleep vfprintf vprintf vsnprintf
vsprintf waitpid write`)

// worded are names of several words that the standard libraries of typed languages have.
var worded = lazy.Words(`as_slice as_mut_slice as_bytes as_deref as_deref_mut as_mut_ptr to_string to_owned into_iter iter_mut is_empty unwrap_or unwrap_or_else unwrap_or_default ok_or_else
and_then map_err or_else or_insert or_insert_with or_default from_str from_utf8 starts_with ends_with trim_end trim_start split_once split_at split_whitespace char_indices to_lowercase to_uppercase
copy_from_slice clone_from_slice extend_from_slice swap_remove read_to_string read_to_end read_line read_exact write_all write_fmt write_str try_into try_from downcast_ref downcast_mut
get_or_insert get_or_insert_with get_or_init take_while skip_while filter_map flat_map find_map for_each max_by_key min_by_key sort_by_key sort_unstable binary_search partial_cmp total_cmp
file_name file_stem with_extension to_path_buf to_string_lossy into_inner into_boxed try_lock spawn_blocking recv_timeout try_recv checked_add checked_sub saturating_sub saturating_add wrapping_add
wrapping_sub compare_exchange fetch_add fetch_sub with_capacity shrink_to_fit retain_mut from_iter from_be_bytes from_le_bytes to_be_bytes to_le_bytes leading_zeros trailing_zeros count_ones
push_back push_front pop_back pop_front emplace_back emplace_front find_first_of find_last_of lower_bound upper_bound make_pair make_unique make_shared
GetConstructor GetConstructors GetMethod GetMethods GetProperty GetProperties GetFields GetField GetType GetCustomAttribute GetCustomAttributes IsAssignableFrom IsInstanceOfType MakeGenericType
MakeGenericMethod GetGenericArguments GetGenericTypeDefinition GetInterfaces GetValue SetValue ConfigureAwait GetAwaiter GetResult FirstOrDefault LastOrDefault SingleOrDefault ContainsKey
TryGetValue AddRange IndexOf StartsWith EndsWith ToLowerInvariant ToUpperInvariant GetHashCode GetEnumerator MoveNext SequenceEqual IsNullOrEmpty IsNullOrWhiteSpace ReadAsync WriteAsync DisposeAsync ToListAsync
ThrowIfCancellationRequested WaitAsync GetService GetRequiredService GetBytes GetString ReadToEnd WriteLine ReadLine ToDictionary SelectMany OrderBy GroupBy AddScoped AddSingleton AddTransient
toString hashCode isEmpty isNotEmpty isNullOrEmpty firstOrNull lastOrNull singleOrNull mapNotNull flatMap filterNot filterNotNull getOrElse getOrDefault getOrPut orElse removeAll addAll putAll
containsKey containsAll indexOf lastIndexOf startsWith endsWith substring toList toMutableList toTypedArray joinToString forEach associateBy groupBy sortedBy printStackTrace getMessage
compareTo trimIndent foldLeft foldRight headOption lastOption toUpperCase toLowerCase dropFirst dropLast removeFirst removeLast compactMap isSubset addTarget viewDidLoad layoutSubviews`)
