type Content = Record<string, unknown>

const isMap = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mergeWith =
  (mergeLists: (earlier: unknown[], later: unknown[]) => unknown[]) =>
  (earlier: unknown, later: unknown): unknown => {
    if (Array.isArray(earlier) && Array.isArray(later)) return mergeLists(earlier, later)
    if (!isMap(earlier) || !isMap(later)) return later
    const merged = new Map(Object.entries(earlier))
    for (const [key, value] of Object.entries(later)) {
      merged.set(key, merged.has(key) ? mergeWith(mergeLists)(merged.get(key), value) : value)
    }
    return Object.fromEntries(merged)
  }

/** Maps are joined key by key, at every level; lists and plain values of the later contribution win. */
export const mergeContent = mergeWith((_, later) => later)

/** As `mergeContent`, but what a later list names is added to the earlier list. */
export const mergeAddingToLists = mergeWith((earlier, later) => [...new Set([...earlier, ...later])])
