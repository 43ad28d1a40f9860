/** Where something stands in a template, both from 1. */
export type Place = { line: number; column: number }

/**
 * What a template says, in either notation. `code` is JavaScript for the sandbox of expressions; names that the
 * template itself gives begin with `$v_` there.
 */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; code: string; at: Place }
  | { kind: 'choice'; branches: readonly Branch[] }
  | {
      kind: 'list'
      code: string
      at: Place
      /** The name of the element; of the key too, where it is a map. */
      item: string
      value?: string | undefined
      nodes: readonly TemplateNode[]
      /** What stands instead of an empty list. */
      otherwise: readonly TemplateNode[]
    }
  | { kind: 'assign'; name: string; code: string; at: Place }
  | { kind: 'break' }

/** Without a condition: what stands when none before it holds. */
export type Branch = { condition?: { code: string; at: Place }; nodes: readonly TemplateNode[] }
