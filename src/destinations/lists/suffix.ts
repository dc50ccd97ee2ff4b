/**
 * Second-level labels under which country registries hand out names (`co.uk`, `com.au`): nobody owns such a suffix, so
 * a remote that names it proves nothing. Short on purpose: an entry too many only makes a host unknown. As of 2026-11.
 */
export const SECOND_LEVELS =
  " ac biz co com edu firm gen go gob gouv gov govt gr ind inf info isa k12 ltd me mil name ne net nhs nom or org plc police pro sch school web ";
