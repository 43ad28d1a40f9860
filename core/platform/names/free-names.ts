/**
 * Gives names that nobody else has. Looking for a free one from the first alternative on would take ever longer for
 * the same name many times, so each name's last alternative is remembered.
 *
 * @param alternative of a name, by number, from 1 on.
 * @param keyOf what two equal names have in common.
 */
export const createFreeNames = (
  alternative: (name: string, count: number) => string,
  keyOf: (name: string) => string = (name) => name,
): ((name: string) => string) => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const key = keyOf(name)
    let count = counts.get(key) ?? 0
    let free = name
    while (taken.has(keyOf(free))) free = alternative(name, ++count)
    counts.set(key, count)
    taken.add(keyOf(free))
    return free
  }
}
