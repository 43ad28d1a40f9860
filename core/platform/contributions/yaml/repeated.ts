/** What a list holds a second time, once for each time, in order. */
export const repeatedIn = (labels: readonly string[]): readonly string[] => {
  const seen = new Set<string>()
  return labels.filter((label) => seen.size === seen.add(label).size)
}
