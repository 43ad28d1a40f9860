/** Values in one chain after its aliases are followed: what a few bytes of anchors could multiply. */
export const MAX_VALUES = 20_000

/** Lists and maps inside one another. */
export const MAX_DEPTH = 32

/** Operations of one chain, those of the chains that it calls included each time they are called. */
export const MAX_OPERATIONS = 5_000

/** Problems reported at once: more help nobody. */
export const MAX_PROBLEMS = 100
