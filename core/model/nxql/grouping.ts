export type Metric = 'cardinality' | 'count' | 'sum' | 'avg' | 'min' | 'max' | 'missing'

/** Bounds of one range: from (included) to (excluded); null is open. Dates are ISO 8601 in UTC. */
export type Bounds = { from: number | string | null; to: number | string | null }

export type TermOrder = { by: 'count' | 'term'; isAscending: boolean }

/**
 * How documents are counted by the values of a property. The keys of the counts are values for terms, positions for
 * ranges, lower bounds for histograms, milliseconds since 1970 for those of dates; a metric is one count with its
 * value as key.
 */
export type Grouping =
  /**
   * `include` and `exclude` are regular expressions for whole values. All backends read alike characters, `.`, `[…]`,
   * `(…)`, `|`, `?`, `*`, `+` and `{n,m}`; what else they mean is up to the backend.
   */
  | { kind: 'terms'; size: number; minCount: number; order: TermOrder; include?: string; exclude?: string }
  | { kind: 'ranges'; ranges: readonly Bounds[] }
  | { kind: 'histogram'; interval: number }
  /** `unit` of the calendar in a time zone (`Europe/Paris`, `+02:00`), or intervals of so many milliseconds. */
  | { kind: 'dateHistogram'; unit: string; timeZone: string }
  | { kind: 'dateHistogram'; milliseconds: number }
  | { kind: 'metric'; metric: Metric }
