/** How far a list of items is. */
type Items = {
  /** Those that it is past. */
  position: number
  total: number
}

const SHOWN = 5

/**
 * Why items at these positions are no failed ones.
 *
 * @param lists where they were looked for: one for each loop.
 * @returns `item 7 is done, there is no item 99`
 */
export const whyNotFailed = (lists: readonly Items[], positions: readonly number[]): string => {
  const reasonOf = (at: number): string => {
    if (lists.every(({ total }) => at >= total)) return `there is no item ${at}`
    return lists.some(({ position }) => at < position) ? `item ${at} is done` : `item ${at} has not begun`
  }
  return [...positions.slice(0, SHOWN).map(reasonOf), ...(positions.length > SHOWN ? ['…'] : [])].join(', ')
}
