const ENGLISH = 'en'

const weightOf = (parameters: readonly string[]): number => {
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return weight === undefined ? 1 : Number(weight) || 0
}

/** The languages of an `Accept-Language` header without their regions, best first; English comes last. */
export const languagesOf = (header: string | undefined): string[] => {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      return { language: tag.trim().split('-')[0]!.toLowerCase(), weight: weightOf(parameters) }
    })
    .filter(({ language, weight }) => /^[a-z]{2,8}$/.test(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return [...new Set([...wanted.map(({ language }) => language), ENGLISH])]
}
