/** Spends `amount` and says true, or spends nothing and says false when less is left. */
export type Budget = (amount: number) => boolean

/** What a planner takes more than linear time for is given out in small numbers. */
export const createBudget = (total: number): Budget => {
  let left = total
  return (amount) => {
    if (amount > left) return false
    left -= amount
    return true
  }
}
