import type { html } from 'hono/html'

/** Markup in which every value that was put in is escaped. */
export type Html = ReturnType<typeof html>

/** Address of a callable beside the page, whatever context path and repository the page was asked under. */
export const callablePath = (id: string, rest = ''): string => `./${encodeURIComponent(id)}${rest}`

export const pageOf = (id: string): string => `?id=${encodeURIComponent(id)}`

/** Types in and out, in pairs, as people read them: `document → document, documents → documents`. */
export const pairsOf = (signature: readonly string[]): string[] =>
  signature.flatMap((input, position) =>
    position % 2 === 0 ? [`${input} → ${signature[position + 1] ?? 'void'}`] : [],
  )
