/** Characters of the values of one answer, or of one list of documents: the bodies of four requests of the largest size. */
export const MAX_CHARACTERS = 64 * 1024 * 1024

/** About how many characters a value of JSON has. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let weight = 8
  for (const name in value) weight += name.length + weightOf((value as { [name: string]: unknown })[name])
  return weight
}
