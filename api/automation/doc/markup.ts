/** Address of a callable relative to the page, which works under any context path and repository. */
export const callablePath = (id: string, rest = ''): string => `./${encodeURIComponent(id)}${rest}`

export const pageOf = (id: string): string => `?id=${encodeURIComponent(id)}`

/** Types in and out, in pairs, as people read them: `document → document, documents → documents`. */
export const pairsOf = (signature: readonly string[]): string[] =>
  signature.flatMap((input, position) =>
    position % 2 === 0 ? [`${input} → ${signature[position + 1] ?? 'void'}`] : [],
  )
