/**
 * Words by which program code reads files, its arguments and its standard input, prints, and contacts others, in the languages
 * agents use. They are looked for in the code as it stands.
 *
 * Trust: the code is hostile. That a word stands there says that it may, not that it does.
 */

const READS =
  /\b(?:open|read_text|read_bytes|readFileSync|readFile|readlines?|createReadStream|openAsBlob|file_get_contents|readfile|fopen|slurp|loadtxt|read_csv|load|loads|readAsText|readTextFile|readTextFileSync|Bun\.file|File|IO|fileinput|ZipFile|TarFile|tarfile|GzipFile|gzip|bz2|lzma|AdmZip|ZipArchive|Zip::File|require\s{0,4}\(|import\s{0,4}\(|(?<![.\w$>])file(?=\()|read_file|upload_file|(?<![.\w])read(?=\((?:expanduser|joinpath|homedir|["'][~/]))|linecache|(?:Raw|Safe)?ConfigParser|FileIO|genfromtxt|fromfile|get_data|FORM_FILE|openSync|attach|Pathname|dofile|copy_stream|netrc\.netrc|dotenv_values|getline|io\.lines|input_file|ReadFile|os\.Open)(?:\b|(?<=\())/;
/** An address of a file, whatever opens it. */
const FILE_ADDRESS = /["'`](?:file:(?=[/~])|php:\/\/filter\/)|\bas_uri\(|\b(?:fileURLWithPath|pathToFileURL)\b/i;
const PERL =
  /<<?>>?|<ARGV>|\breadline\b|\bsysopen\b|\bContent\b["']?\s{0,4}(?:=>|,)|\bform\s{0,4}=>|->put\s{0,4}\(|(?<![\w$>])io\s{0,4}\(|\bpath\s{0,4}\(/;
const RUBY = /\bARGF\b|\$<|(?<![\w.])(?:gets|readlines?)\b/;
const PHP =
  /\b(?:include|require)(?:_once)?\s{0,4}\(?\s{0,4}["'$g]|\b(?:CURLFile|curl_file_create|show_source|highlight_file|php_strip_whitespace|parse_ini_file|SplFileObject|simplexml_load_file)\b|=>\s{0,4}["']@/;
const R =
  /\b(?:readLines|readChar|readBin|readRDS|scan|read\.\w{1,12}|read_\w{1,12}|fread|file\.show|fileUpload|req_body_file|curl_upload|fromJSON|vroom|source)\s{0,4}\(/;
const JVM =
  /\bSource\.from|\bos\.read\b|\b(?:readString|readAllBytes|readAllLines|newBufferedReader|newInputStream|FileReader|FileInputStream|Scanner|Files\.(?:lines|copy|newByteChannel)|toURL|reader|input-stream)\b/;
const JULIA = /\b(?:eachline|readchomp|read|open|Downloads\.\w{1,12}|pipeline)\s{0,4}\(/;
const TCL = /\bopen\b|\bsource\b|\bread_?[fF]ile\b/;
const APPLE = /\bread\s{1,4}(?:POSIX\s{1,4})?(?:file|\()|\bstringWithContentsOf|\bcontentsOf(?:File|URL)?\b|\bFileHandle\b/;
const OTHERS =
  /\bfileread\b|\bfile->\w|\bcall-with-input-file\b|\binput-file\b|\bopen_in\b|\bwith_open_\w{1,6}\b|\bcontentsOf(?:File)?:|\bFileHandle\b/;

/** A static import of a file that is no code: `import x from '/f' with {type: 'text'}`. */
const IMPORTS = /\bfrom\s{0,4}["'](?:[~/][^"'\n]{0,400}|\.{1,2}\/[^"'\n]{0,400}\.\w{1,8})(?<!\.[cm]?[jt]sx?|\.vue|\.svelte|\.wasm)["']/;

/** Whether code of this language reads files. */
export function readsFiles(code: string, language: string): boolean {
  if (READS.test(code) || FILE_ADDRESS.test(code) || /<\s{0,4}["'$]|\bgetline\b/.test(code)) return true;
  if (/\bcopy\b/.test(code) && /STDOUT|php:\/\/(?:stdout|output)/.test(code)) return true;
  const own = ownReads(language);
  return own?.test(code) === true;
}

function ownReads(language: string): RegExp | undefined {
  if (/^-?perl/.test(language)) return PERL;
  if (/^j?ruby/.test(language)) return RUBY;
  if (/^php/.test(language)) return PHP;
  if (/^(?:R|Rscript)$/.test(language)) return R;
  if (/^(?:groovy|scala|jshell|clojure|bb)$/.test(language)) return JVM;
  if (/^julia/.test(language)) return JULIA;
  if (/^(?:tclsh|expect)/.test(language)) return TCL;
  if (/^osascript/.test(language)) return APPLE;
  if (/^(?:node|nodejs|tsx|ts-node|deno|bun)/.test(language)) return IMPORTS;
  return /^(?:swift|ocaml|octave|guile|racket)/.test(language) ? OTHERS : undefined;
}

const ARGUMENTS =
  /\b(?:sys\.argv|process\.argv|ARGV|\$argv|argv|Deno\.args|Bun\.argv|commandArgs|ARGS|arg\[|System\.argv|parse_args|ArgumentParser|\*command-line-args\*)/;
/** Where code reads its arguments as files, or its standard input without any, without naming one. */
const PERL_IMPLICIT = /<<?>>?(?![=>])|<ARGV>|\breadline\b(?!\s{0,4}\(?\s{0,4}[*\\]{0,2}(?:STDIN|\$|[A-Z]{1,20}\b(?<!ARGV)))/;
const RUBY_IMPLICIT = /\bARGF\b|\$<|(?<![\w.])(?:gets|readlines?)\b/;

/** Where code may read files that its arguments name; undefined when it does not. `reads`: it reads files at all. */
export function readsArguments(code: string, language: string, reads: boolean): number | undefined {
  const perl = /^-?perl/.test(language);
  const ruby = /^j?ruby/.test(language);
  const implicit = perl ? PERL_IMPLICIT : ruby ? RUBY_IMPLICIT : /^-?py|^ipy/.test(language) ? /\bfileinput\.\w/ : undefined;
  const found = implicit?.exec(code) ?? (reads ? ARGUMENTS.exec(code) : null);
  if (found !== null) return found.index;
  const other = !reads ? null : perl ? /\bshift\b/.exec(code) : ruby ? /\$\*/.exec(code) : null;
  return other?.index;
}

const STDIN =
  /\bstdin\b|STDIN|\bgets\b|\binput\(|readFileSync\(\s{0,4}0|fileinput|ARGF|php:\/\/stdin|\/dev\/stdin|\bio\.(?:read|lines)\b|\$argn\b|\*in\*|System\.in\b|\breadLine\b/;

/** Whether code reads its standard input. */
export function readsInput(code: string, language: string): boolean {
  if (STDIN.test(code)) return true;
  return /^-?perl/.test(language) ? PERL_IMPLICIT.test(code) : /^j?ruby/.test(language) && RUBY_IMPLICIT.test(code);
}

const PRINTS =
  /\b(?:print|println|printf|pprint|puts|disp|echo|say|console\.\w{1,10}|process\.stdout|sys\.stdout|STDOUT|stdout|var_dump|print_r|writeln|display|inspect|cat|io\.write|readfile|f?passthru|warn|die|stderr|log|STDERR|IO\.(?:write|puts|inspect)|os\.(?:write|sendfile)\([12]|print_string|print_endline|getprint|var_export|show_source|highlight_file|writeLines|file\.show|php:\/\/output)\b/;

/** Whether code prints something; `lone`: a value that it reads and gives to no name. */
export function prints(code: string, language: string, lone: boolean): boolean {
  if (PRINTS.test(code)) return true;
  if (/^-?\b(?:perl|ruby|jruby)/.test(language)) return /\bprint\b|\$_|\bp[ (]|io\s{0,4}\(["']-/.test(code);
  if (/^php/.test(language)) return /\b(?:include|require)(?:_once)?\b|\bcurl_init\(\s{0,4}["']file:/.test(code);
  // What is typed in there is answered with its value.
  if (/^(?:jshell|clojure|bb|osascript)$/.test(language)) return true;
  return lone && /^(?:R|Rscript)$/.test(language);
}

const NETWORK =
  /\b(?:requests|urllib\d?|urlopen|http\.client|HTTPS?Connection|httpx|aiohttp|fetch|axios|got|undici|XMLHttpRequest|WebSocket|sendBeacon|socket|create_connection|TCPSocket|UDPSocket|Net::|open-uri|URI\.open|HTTParty|Faraday|RestClient|LWP|HTTP::Tiny|Mojo::UserAgent|IO::Socket|curl_init|curl_exec|fsockopen|stream_socket_client|smtplib|ftplib|paramiko|boto3|telnetlib|pycurl|puppeteer|playwright|selenium|webdriver|\.goto\(|gethostbyname|getaddrinfo|resolve4?|dns|https?(?:["']\))?\.(?:request|get)|net\.(?:connect|createConnection|Socket)|tls\.connect|Deno\.connect|Bun\.connect|http\.(?:post|Post|PostForm|Get|NewRequest)|net\.Dial|Http|WebClient|httr2?|RCurl|curl_upload|HTTP\.(?:post|put|patch|request|open)|Downloads\.(?:request|download)|GuzzleHttp|HttpClient|HttpRequest|HttpURLConnection|openConnection|URLSession|http-client|clj-http|http-kit|http::geturl|HTTPoison|xmlrpc|ServerProxy|superagent|WWW::Mechanize|require\(["'](?:ws|request|needle|bent|phin|node-fetch|socket\.http|ssl\.https)|Req\.\w{3,6}!?|:httpc)\b/;

/** Whether code contacts others. */
export function contacts(code: string): boolean {
  return NETWORK.test(code);
}

/** A text that stands in no quotes. */
interface Unquoted {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Words of Tcl that name a file without quotes, where one is opened, and its addresses. */
const TCL_WORDS =
  /\b(?:open|source|read_?[fF]ile)[ \t]{1,8}(?:\{([^{}\n]{1,400})\}|\[file join ([^[\]\n]{1,400})\]|([^\s"'`{}[\]|;]{1,400}))|\b(?:https?|ftp):\/\/[^\s"'{}[\];]{1,400}/g;
/** `q{…}`, `%q(…)`; `qw(a b)`; a pattern of Perl that stands for files; Lua's long texts. */
const PERL_QUOTES =
  /(?<![\w$@%&])(?:qq?\s{0,4}|%[qQ])(?:\{([^{}]{0,4000})\}|\(([^()]{0,4000})\)|\[([^[\]]{0,4000})\]|([|!/])([^|!/\n]{0,1000})\4)/g;
const WORD_LISTS = /(?<![\w$@&])(?:qw\s{0,4}|%[wW])(?:\{([^{}]{0,4000})\}|\(([^()]{0,4000})\)|\[([^[\]]{0,4000})\])/g;
const PERL_GLOB = /<([~/][^<>\n]{1,400})>/g;
const LUA_LONG = /\[\[([^[\]]{0,4000})\]\]/g;

/** Texts of the code that stand in no quotes, in the languages that have such. */
export function unquotedTexts(code: string, language: string): readonly Unquoted[] {
  if (/^(?:tclsh|expect)/.test(language))
    return [...code.matchAll(TCL_WORDS)].map((match) => {
      const inner = match[1] ?? match[2] ?? match[3] ?? match[0];
      const value = match[2] === undefined ? inner : inner.trim().split(/\s+/).join("/");
      return whole(value.replace(/^\$(?:::)?env\(HOME\)/, "~"), match.index + match[0].lastIndexOf(inner), inner.length);
    });
  if (/^lua/.test(language)) return [...code.matchAll(LUA_LONG)].map((match) => whole(match[1] ?? "", match.index, match[0].length));
  const perl = /^-?perl/.test(language);
  if (!perl && !/^j?ruby/.test(language)) return [];
  const lists = [...code.matchAll(WORD_LISTS)].flatMap((match) => {
    const inner = match[1] ?? match[2] ?? match[3] ?? "";
    const from = match.index + match[0].length - 1 - inner.length;
    return [...inner.matchAll(/\S+/g)].map(({ 0: word, index }) => whole(word, from + index, word.length));
  });
  const texts = [...code.matchAll(PERL_QUOTES)].map((match) =>
    whole(match[1] ?? match[2] ?? match[3] ?? match[5] ?? "", match.index, match[0].length),
  );
  const globs = perl ? [...code.matchAll(PERL_GLOB)].map((match) => whole(match[1] ?? "", match.index, match[0].length)) : [];
  return [...lists, ...texts, ...globs];
}

function whole(value: string, start: number, length: number): Unquoted {
  return { value, start, end: start + length };
}
