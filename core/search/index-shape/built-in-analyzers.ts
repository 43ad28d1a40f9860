const BUILT_IN: ReadonlySet<string> = new Set(
  `default default_search standard simple whitespace stop keyword pattern fingerprint
   arabic armenian basque bengali brazilian bulgarian catalan cjk czech danish dutch english estonian finnish french
   galician german greek hindi hungarian indonesian irish italian latvian lithuanian norwegian persian portuguese
   romanian russian serbian sorani spanish swedish turkish thai`.split(/\s+/),
)

/** Whether Elasticsearch has an analyzer of its own by a name. */
export const isBuiltIn = (name: string): boolean => BUILT_IN.has(name)
