/**
 * The numbers that bound work, size or time, with their unit and source. "Specified" ones come from the requirements and
 * change only with them. A bound that only one expression or loop knows stands beside it, with its reason.
 */

/** Numbers fixed by the specification. */
export const SPECIFIED = {
  /** D-27: the engine answers by itself within this time, in milliseconds. */
  engine_ms: 5_000,
  /** D-27: the launcher ends the engine after this time, in milliseconds. */
  launcher_ms: 8_000,
  /** D-27: the agent's entry before a tool and for a prompt, in seconds. */
  entry_before_s: 10,
  /** D-27: the agent's entry after a tool, in seconds. */
  entry_after_s: 15,
  /** L-170: session state is swept after this time, in milliseconds. */
  session_ms: 24 * 60 * 60 * 1_000,
  /** D-25: characters of a short hash. */
  short_hash_chars: 8,
  /** D-25: no artefact ever holds this many consecutive characters of a value's body. */
  value_piece_chars: 8,
  /** D-19: shortest value that is remembered for B3, in characters. */
  remembered_value_chars: 8,
  /** L-128, L-129: entries of a list in the profile or in leak0.local.json. */
  list_entries: 200,
  /** I-023: a larger result is not checked, in bytes. */
  inject0_bytes: 8 * 1024 * 1024,
  /** D-20: a body with fewer different characters is a placeholder, even with a valid check. */
  placeholder_distinct_chars: 8,
} as const;

/** Numbers chosen here; the reason stands beside each. */
export const CHOSEN = {
  /** Largest hook event read from standard input, in bytes: agents cap tool outputs far below. */
  event_bytes: 64 * 1024 * 1024,
  /** An event up to this size is looked through for its end as it arrives, a larger one only when the pipe falls silent. */
  event_followed_bytes: 64 * 1024,
  /** An event up to this size is judged before the runtime's slow compiler of WASM has paid for itself (measured). */
  event_brief_bytes: 2 * 1024 * 1024,
  /** Silence on standard input after which a large event is looked through for its end, in milliseconds. */
  event_silence_ms: 5,
  /** Largest shell command that is parsed, in UTF-16 units; longer ones are uncertain (libraries.md: parse cost of hostile nesting). */
  command_chars: 64 * 1024,
  /** Scripts inside scripts (`$(…)`, `sh -c`, functions) that are followed; deeper ones are uncertain (measured: 14 ms at this depth). */
  nested_scripts: 16,
  /** Simple commands evaluated in one call, all nesting together. */
  commands: 2_000,
  /** Rounds of loops in one call, all nesting together: loops in loops may hold no command that counts. */
  rounds: 10_000,
  /** Characters of shell text parsed in one call, all nesting together. */
  parsed_chars: 512 * 1024,
  /** Simple commands and characters of the scripts a call starts or writes, all together (measured: 20 µs each, 0.5 µs each). */
  scripts_commands: 10_000,
  scripts_chars: 1024 * 1024,
  /** Scripts one call starts that are looked at, those they start included. */
  scripts_started: 200,
  /** Bytes of all files that are read as such scripts. */
  scripts_read_bytes: 16 * 1024 * 1024,
  /** Files that one pattern or test run stands for, and packages of a workspace, that are read as scripts of one start. */
  started_files: 20,
  started_packages: 25,
  /** Variables handed to one script that are looked for in it. */
  started_variables: 100,
  /** A script this long is read whatever its words are: it always holds one that matters. */
  acting_script_chars: 4_096,
  /** Longest program that is asked about when it is started: a short one does little beside what its calls say. */
  short_program_chars: 4_096,
  /** How far a chain of scripts that start scripts is followed; what lies beyond counts as not read. */
  scripts_depth: 100,
  /** Here-document bodies and quoted strings longer than this are cut out as data before a long command is parsed, in UTF-16 units. */
  cut_out_chars: 256,
  /** A text too long to be parsed at once is divided at ends of lines, and between two such places lies at least this. */
  cut_lines_chars: 1_024,
  /** Longest text a shell word may grow to by expansion, in UTF-16 units; the rest travels as a source of its own. */
  word_chars: 256 * 1024,
  /** Longest variable value that `${x#…}`, `${x/…}` and the like are worked out for, in UTF-16 units (quadratic). */
  pattern_chars: 512,
  /** Longest written file that is read for what it would send once it runs, in UTF-16 units. */
  script_chars: 256 * 1024,
  /** Longest inline program code (`python -c`) that is read, in UTF-16 units. */
  code_chars: 256 * 1024,
  /** String literals of one program that are looked at. */
  code_literals: 20_000,
  /** Commands and addresses of one program that are followed. */
  code_commands: 64,
  code_addresses: 32,
  /** Names of one program whose origin is looked up, and uses of one name; others may stand for anything. */
  code_names: 32,
  code_name_uses: 64,
  /** Statements and words of one program, and names in it, through which a value is followed to an address; in longer ones it may reach any. */
  code_statements: 600,
  code_flow_words: 8_000,
  code_flow_names: 100,
  /** Values and addresses of one program that are followed; further ones may reach any. */
  code_flow_places: 48,
  /** Targets of a Makefile or justfile that are followed from one command. */
  recipe_targets: 64,
  /** Files a Makefile includes, how deep in each other, and how deep its variables stand in each other. */
  recipe_includes: 16,
  /** Longest known text that `tr` is worked out for, in UTF-16 units. */
  translated_chars: 16_384,
  /** Pieces of a split file that are told by their names, and letters of what is put behind the common name. */
  split_pieces: 100,
  split_suffix_chars: 32,
  /** Addresses of one command that are told: each is told with all that may travel. */
  command_addresses: 64,
  /** Links of /proc behind each other that are followed, and copies of copies; a loop ends there. */
  proc_hops: 8,
  copy_hops: 256,
  /** Words one word may expand to (braces, arrays, fields); more leave the call partly unread. */
  word_fields: 4_096,
  /** Commands started by other commands (`sudo env nohup …`) that are followed; deeper ones leave the call partly unread. */
  wrappers: 64,
  /** Rounds of a loop over nothing but numbers that are followed one by one; the rest stands for one round with an unknown number. */
  counted_rounds: 64,
  /** Ordinary files of a folder that somebody else gets which are opened, their bytes together, and those of one. */
  folder_plain_files: 300,
  folder_plain_bytes: 4 * 1024 * 1024,
  plain_file_bytes: 64 * 1024,
  /** Lines of a known text that a loop reads one by one; of a longer text one round stands for all. */
  read_rounds: 64,
  /** Names in a file that lists what is packed or sent; of a longer list the beginning is looked at. */
  listed_files: 1_000,
  /** Different sources kept for one flow: every word of two full words and some more. */
  flow_sources: 10_000,
  /** Largest file read to confirm a credential file, in bytes (credential-files.md §14.5). */
  credential_file_bytes: 1024 * 1024,
  /** Files whose content one call may open outside Git. */
  files_opened: 1_000,
  /** Paths that an unread command mentions: looked at, and compared with the known places. */
  mentions: 16,
  mention_tries: 5_000,
  /** Files one prompt attaches that are looked at. */
  attachments: 200,
  /** Entries of folders looked at in one call, when folders are sent or searched as a whole. */
  folder_entries: 3_000,
  /** JSON files without a telling name that are opened in such a folder, and the size of the largest: a service account has 2.4 KB. */
  folder_key_files: 100,
  key_file_bytes: 8 * 1024,
  /** How deep such a folder is looked through. */
  folder_depth: 5,
  /** Of a file that is read, sent or attached this much is scanned for recognisable values, in bytes. */
  scanned_file_bytes: 16 * 1024 * 1024,
  /** A file on its way out is looked at in every spelling up to this size, in characters; longer ones for what stands there as it is. */
  spelled_file_chars: 1024 * 1024,
  /** Characters looked at in every spelling in one call, all texts and files together (measured: 70 ns each); past it the call is a question. */
  spelled_chars: 32 * 1024 * 1024,
  /** Bytes unpacked of all archives of one call (measured: about 3 ms a MB, looking at them included), and entries of them. */
  archive_bytes: 256 * 1024 * 1024,
  archive_entries: 50_000,
  /** Bytes one compressed stream may grow to, which are held in memory. */
  archive_stream_bytes: 128 * 1024 * 1024,
  /** Git objects read in one archive, and bytes of them: one takes about 20 µs. */
  archive_git_objects: 20_000,
  archive_git_bytes: 32 * 1024 * 1024,
  /** Files one glob is taken for when the output it printed is checked. */
  glob_matches: 500,
  /** Longest output that is compared line by line with the harmless part of a secret file, in characters. */
  explained_chars: 16 * 1024,
  /** Entries of folders looked at to learn what a package, an image or a site holds; past it the check is unfinished. */
  packed_entries: 50_000,
  /** Bytes of the files of one package, image or site that are looked at; unpacked archives count. */
  packed_bytes: 256 * 1024 * 1024,
  /** Looking at files, scripts and archives ends when less than this is left of D-27's engine time, in milliseconds: the answer needs some of it. */
  answer_ms: 1_000,
  /** Of one file in it this much is looked at. */
  packed_file_bytes: 64 * 1024 * 1024,
  /** Lines of one ignore file that count. */
  ignore_lines: 10_000,
  /** Longest pattern that is understood, in characters (PATH_MAX). */
  pattern_line_chars: 4_096,
  /** Work of comparing patterns with paths in one package, in characters of pattern (measured: about 12 ns each); past it the check is unfinished. */
  pattern_work_chars: 200_000_000,
  /** Texts one pattern with braces may stand for. */
  pattern_alternatives: 256,
  /** Bytes of Git objects and working-tree files looked at in one call. */
  git_bytes: 256 * 1024 * 1024,
  /** Paths Git may name in one call. */
  git_paths: 200_000,
  /** One Git process, in milliseconds. */
  git_process_ms: 4_000,
  /** All Git processes of one call together, in milliseconds: leaves a fifth of D-27's engine time for reading what they name. */
  git_call_ms: 4_000,
  /** Largest listing one Git process may print, in bytes: about `git_paths` lines with stat data. */
  git_list_bytes: 64 * 1024 * 1024,
  /** Answers of Git up to this size are kept for the rest of the line. */
  git_kept_bytes: 64 * 1024,
  /** Objects are first read in one go up to this many bytes; more are measured before they are read. */
  git_batch_bytes: 32 * 1024 * 1024,
  /** Of a push this much is held at once, in bytes: bounds memory, costs a process for every part, which takes up all chains of deltas anew. */
  git_part_bytes: 8 * 1024 * 1024,
  /** A push of fewer objects is read without asking for their sizes first. */
  git_objects_at_once: 1_000,
  /** What a push of more objects holds is remembered when it is clean: below, reading again costs less. */
  git_objects_remembered: 200,
  /** Clean contents remembered for one repository; the oldest half goes first. Eight bytes each. */
  git_clean_entries: 131_072,
  /** Text in Git larger than this is not read and leaves the check unfinished, in bytes. */
  git_text_bytes: 64 * 1024 * 1024,
  /** Of binary content only this much is looked at, in bytes: media and archives must not make every commit a question. */
  git_binary_bytes: 4 * 1024 * 1024,
  /** Bytes looked at to tell binary from text, as Git itself does. */
  git_sniff_bytes: 8_000,
  /** Largest object, and packed references, that are read without Git, in bytes: root trees and commits are far smaller. */
  git_stored_bytes: 1024 * 1024,
  git_refs_bytes: 4 * 1024 * 1024,
  /** Read to see what HEAD would become, all repositories of a call together, in bytes: a step in a repository of a million objects reads 100 KB. */
  git_stored_room_bytes: 64 * 1024 * 1024,
  /** Deltas on each other, packs, steps back in history, and references of a remote that are followed without Git. */
  git_delta_depth: 50,
  git_packs: 64,
  git_steps: 100,
  git_refs_compared: 32,
  /** Filters a repository may have; with more its content is not told. */
  git_filters: 100,
  /** Git aliases followed inside each other. */
  git_aliases: 10,
  /** Longest wait for a lock of our own state, in milliseconds: fifty hooks at once need about a tenth of it. */
  lock_wait_ms: 1_000,
  /** Pause between two tries for a lock, in milliseconds. */
  lock_poll_ms: 2,
  /** A tool's input up to this size is looked at as one text too, where its values stand beside their names. */
  outline_texts: 50_000,
  outline_chars: 1024 * 1024,
  /** Texts of one flow that are looked at one by one (about 10 µs each); of more those up to this length together. */
  single_texts: 10_000,
  single_text_chars: 512,
  /** Of a text longer than twice this only both ends may make up a value together with its neighbours, in UTF-16 units. */
  joined_chars: 8 * 1024,
  /** Longest token that is put together of several texts, in UTF-16 units. */
  joined_token_chars: 4 * 1024,
  /** Work of putting tokens together in one flow, in UTF-16 units looked at (about 10 ns each). */
  joined_work_chars: 4 * 1024 * 1024,
  /** Nesting of a hook event's JSON that is walked for strings. */
  json_depth: 2_000,
  /** Places in one text that may hold a secret; past it the text is uncertain. Checking one costs a few µs. */
  filter_hits: 65_536,
  /** Longest text searched as a string, in UTF-16 units; longer ones are copied into a Buffer first (measured). */
  filter_string_units: 8 * 1024,
  /** UTF-16 units searched with `indexOf` in one process before the WebAssembly search is started (scan-speed.md §4). */
  filter_program_units: 32 * 1024,
  /** What one call of the `indexOf` search costs beside its text, in UTF-16 units (300 needles, measured). */
  filter_call_units: 256,
  /** Files whose place is compared with every known one before an index of the places is made: it costs as much as 30 of them. */
  place_lookups_plain: 64,
  /** Largest exemption list of a repository, in bytes, and its entries. */
  exemption_file_bytes: 256 * 1024,
  exemptions: 1_000,
  /** Largest ignore file that `scan` reads, in bytes. */
  ignore_file_bytes: 1024 * 1024,
  /** Of a file longer than `credential_file_bytes` `scan` holds this much at a time, in bytes: in more of a text more words stand, and each leads to a search (measured). */
  scan_window_bytes: 512 * 1024,
  /** Largest file of the administrator's own list that `scan` looks at as a whole, in bytes. */
  scan_listed_bytes: 8 * 1024 * 1024,
  /** What it sees of the text before and behind such a part, in bytes: the longest private key stands whole in one of two. */
  scan_before_bytes: 4 * 1024,
  scan_behind_bytes: 80 * 1024,
  /** Characters `scan` shows before and behind a value on its line. */
  scan_excerpt_before_chars: 60,
  scan_excerpt_behind_chars: 30,
  /** Files that one process of a scan looks at before it hands over what it saw: about half a megabyte of source text. */
  scan_batch_files: 48,
  /** Batches after which further processes are started: starting one costs as much as looking through 3 MB. */
  scan_alone_batches: 6,
  /** Batches one further process has in hand, so that it never waits. */
  scan_batches_ahead: 3,
  /** How long `scan` looks at files before it sees what its helpers have done, in milliseconds: less than they take for what they have in hand. */
  scan_turn_ms: 3,
  /** Processes of one scan, however many cores there are: the disk is the limit before. */
  scan_processes: 8,
  /** `leak0 check`: longest name of the call's that is shown, sources of one flow, files and other answers, in characters and numbers. */
  explained_name_chars: 160,
  explained_sources: 6,
  explained_files: 20,
  explained_changes: 8,
  /** `leak0 check` asks for other answers this long, in milliseconds: each may start Git again. */
  explained_ms: 3_000,
  /** Time after which a scan on a terminal shows how far it is, and between two looks, in milliseconds. */
  scan_progress_after_ms: 1_000,
  scan_progress_every_ms: 200,
  /** Forms of one text that are respelled: the text itself and what is in it. */
  respelled_forms: 16,
  /** Times a value may be decoded (percent, JSON, base64) before it is scanned (token-families.md §9.6). */
  decodings: 2,
  /** Largest reason given to the agent, in characters; Claude Code moves longer texts to a file. */
  reason_chars: 4_000,
  /** Codex's entry at the end of a session, in seconds: it cuts a longer time with a warning. */
  codex_session_end_s: 3,
  /** Longest reason given to Codex, in bytes: it passes on about 2,500 tokens and counts four bytes as one. */
  codex_reason_bytes: 9_000,
  /** Bytes read of a project's Git config or package.json to learn its own hosts. */
  project_file_bytes: 256 * 1024,
  /** Largest settings or profile file in the data directory, in bytes: 400 entries with long globs stay far below. */
  policy_file_bytes: 512 * 1024,
  /** Largest answer of the engine the launcher takes, in bytes: the largest event with its values replaced. */
  launcher_answer_bytes: 80 * 1024 * 1024,
  /** Largest text on the engine's standard error the launcher keeps, in bytes. */
  launcher_reason_bytes: 64 * 1024,
  /** Bytes of the caller's environment as data (D-28); above it the largest values go, never HOME, PATH, GIT_* and the like. */
  environment_bytes: 1024 * 1024,
  /** Longest glob or field name in a list, in characters (PATH_MAX). */
  list_glob_chars: 4_096,
  /** Field names one list entry may hold. */
  list_keys: 100,
  /** An audit file is put aside past this size, in bytes: about 15 000 events, read whole by `audit`. */
  audit_file_bytes: 4 * 1024 * 1024,
  /** Different values of one call that are recorded one by one. */
  audit_events: 20,
  /** Audit files kept aside; the oldest is dropped. */
  audit_files_aside: 4,
  /** Newest entries `audit tail --follow` compares with what it has shown, each time something was written. */
  audit_follow_entries: 10_000,
  /** Pause of `audit tail --follow` between two looks, in milliseconds. */
  audit_follow_ms: 300,
  /** Damaged lines `audit` names one by one; the rest is counted. */
  audit_places_named: 20,
  /** Largest session file that is read, in bytes: values, copies and hosts below, the rest for the names of kinds. */
  session_file_bytes: 2 * 1024 * 1024,
  /** Families times titles in a session file; a forged one may not hold more. */
  session_kinds: 4_096,
  /** Values one session remembers; the oldest is forgotten first. */
  session_values: 5_000,
  /**
   * Bytes of one text that are read to confirm remembered values, about 7 ns each, a place counting as this many more (about 4 µs).
   * Past it the text is uncertain.
   */
  confirmed_bytes: 32 * 1024 * 1024,
  confirmed_place_bytes: 512,
  /** Paths of copies one session remembers; the oldest is forgotten first. */
  session_copies: 400,
  /** Bytes their paths may take in the session file: four hundred usual ones need a fifth. */
  session_copies_bytes: 768 * 1024,
  /** Hosts of remotes one session remembers as the agent's own doing; the oldest is forgotten first. */
  session_hosts: 200,
  /** Bytes they may take in the session file. */
  session_hosts_bytes: 128 * 1024,
  /** Container images one session remembers, and the bytes they may take in the session file; the oldest is forgotten first. */
  session_images: 200,
  session_images_bytes: 128 * 1024,
  /** Session files looked at by one sweep. */
  session_sweep: 1_000,
  /** Largest agent settings file that is edited or compared, in bytes. */
  agent_settings_bytes: 4 * 1024 * 1024,
  /** Largest archive whose list is read when it is unpacked around the agent's settings, in bytes; unpacking it takes about 50 ms. */
  archive_listed_bytes: 8 * 1024 * 1024,
  /** Lines of a settings file compared for a dry run, each side, once equal starts and ends are set aside. */
  settings_diff_lines: 1_000,
  /** Largest passwd file that is read, in bytes; accounts behind it are left out. */
  passwd_bytes: 4 * 1024 * 1024,
  /** Windows: the program that tells whether the caller is an administrator, in milliseconds and bytes of its output. */
  administrator_check_ms: 5_000,
  administrator_check_bytes: 64 * 1024,
  /** Longest answer of a hook that `doctor` tries, in bytes: its events are short. */
  doctor_answer_bytes: 1024 * 1024,
  /** Free space below which `doctor` warns, in bytes: the log alone may grow to a third of it. */
  doctor_free_bytes: 64 * 1024 * 1024,
  /** A file from further in the future than this makes the clock wrong, in milliseconds: no time zone mistake is larger. */
  doctor_clock_ms: 24 * 60 * 60 * 1_000,
  /** Of two programs this much is compared at a time, in bytes. */
  doctor_compared_bytes: 4 * 1024 * 1024,
  /** Nesting of a credential file's JSON, YAML or TOML; the tools that write them stay below ten. */
  credential_depth: 200,
  /** Values of one credential file that are looked at; a kubeconfig of 300 clusters has about 5 000. */
  credential_leaves: 20_000,
  /** Occurrences of one value tried when its position in a YAML or TOML file is looked up. */
  credential_position_tries: 50,
  /** Characters before a value in which its key has to stand when its position is looked up. */
  credential_key_reach_chars: 300,
  /** Longest value read beside a field name in any text, in characters; an RSA key in one JSON string has about 3 300. */
  keyed_value_chars: 16_384,
  /** Ed25519 public keys derived in one scan; each costs about 2 ms. Past it the text is uncertain. */
  curve_checks: 64,
  /** Longest number of an RSA key that is multiplied, in bytes: 16 384 bits and the sign. */
  rsa_number_bytes: 2_049,
  /** Longest private key block, in characters: an RSA key of 16 384 bits has 13 000, a PGP block with a photo more. */
  private_key_chars: 64 * 1024,
  /** Characters all decoded forms of one outgoing text may have together. */
  decoded_chars: 16 * 1024 * 1024,
  /** Words after a netrc `machine` in which its whole entry stands, line numbers and signs of a diff included. */
  netrc_entry_words: 16,
  /** Characters all decoded forms of one output may have together; decoding and scanning them takes about 100 ms. */
  encoded_chars: 8 * 1024 * 1024,
  /** Runs that go on over a line end and are put together, of one text: a list whose lines end and begin alike is of nothing else. */
  folded_runs: 300,
  /** Longest output in which spaced-out characters and byte groups are looked for, in characters. */
  spaced_chars: 256 * 1024,
  /** Encoded runs looked at in one output; each costs about a µs. Past it the output is uncertain. */
  encoded_runs: 65_536,
  /** Characters of base64 that are unpacked in one output; deflate grows a thousandfold at most, in about half a second. */
  encoded_archive_chars: 512 * 1024,
  /** Melira: largest manifest and largest file of the model, in bytes; the runtime has 14 MB. */
  melira_manifest_bytes: 256 * 1024,
  melira_file_bytes: 32 * 1024 * 1024,
  /** Workers of one scorer, however many cores there are: each holds about 130 MB. */
  melira_workers: 4,
  /** Memory that has to be free before the model is loaded, in bytes: one worker and what it reads. */
  melira_memory_bytes: 300 * 1024 * 1024,
  /** Longest wait for a score, in milliseconds, where the caller says nothing. */
  melira_time_ms: 10_000,
  /** The same for a text of the command line, which nobody's tool waits for and which may queue behind others. */
  melira_command_ms: 120_000,
  /** Texts that may be in work or wait at once; further ones are told to come back. */
  melira_texts_waiting: 64,
  /** Characters scored between two collections of garbage: each costs some milliseconds. */
  melira_sweep_chars: 512 * 1024,
  /** A text up to this length is read whole, in UTF-16 units; of a longer one as much as this, where it is most suspicious, and both ends. */
  melira_whole_chars: 256 * 1024,
  melira_ends_chars: 16 * 1024,
  /** Tokens and windows one text may have: text of one-character words has four times as many as other text. */
  melira_tokens: 256 * 1024,
  melira_windows: 1_600,
  /** Windows read in one run of a worker: about 25 ms, after which another text may come in between. */
  melira_batch_windows: 8,
  /** Batches of one text after which further workers are started: starting one costs as much as reading thirty. */
  melira_batches_alone: 8,
  /** Places named by --explain. */
  melira_spans: 5,
} as const;
