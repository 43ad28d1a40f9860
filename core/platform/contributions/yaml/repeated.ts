/** The repeated items of a list, once for each repetition, in order. */
export const repeatedIn = (labels: readonly string[]): readonly string[] => {
  const seen = new Set<string>()
  return labels.filter((label) => seen.size === seen.add(label).size)
}
