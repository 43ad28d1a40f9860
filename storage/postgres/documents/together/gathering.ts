type Waiting<Item, Answer> = {
  item: Item
  key: string
  resolve(answer: Answer): void
  reject(error: unknown): void
}

type GatheringOptions<Item, Answer> = {
  /** Batches under way at once. */
  lanes: number
  /** Items of a batch. */
  maxBatch: number
  /** Two items of one key are never under way at once. */
  keyOf(item: Item): string
  /** Does all of a batch or nothing. @returns the answers in the order of the items. */
  together(items: readonly Item[]): Promise<readonly Answer[]>
  /** Does one item whose batch has failed. */
  alone(item: Item): Promise<Answer>
  /** Whether it is not known what has become of a batch, so that it must not be done again. */
  isUncertain(error: unknown): boolean
}

/**
 * Group commit: what arrives while batches are under way is the next batch. Nobody waits for others to arrive, so that
 * a single caller is as quick as without, and many callers share what a statement and its commit cost.
 *
 * @returns does an item with others; it fails as `alone` does, or, when that is not known, as its batch has.
 */
export const createGathering = <Item, Answer>({
  lanes,
  maxBatch,
  keyOf,
  together,
  alone,
  isUncertain,
}: GatheringOptions<Item, Answer>): ((item: Item) => Promise<Answer>) => {
  let waiting: Waiting<Item, Answer>[] = []
  const underWay = new Set<string>()
  let free = lanes

  const take = (): Waiting<Item, Answer>[] => {
    const taken: Waiting<Item, Answer>[] = []
    const left: Waiting<Item, Answer>[] = []
    for (const one of waiting) {
      const mayGo = taken.length < maxBatch && !underWay.has(one.key)
      if (mayGo) underWay.add(one.key)
      ;(mayGo ? taken : left).push(one)
    }
    waiting = left
    return taken
  }

  const settle = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await together(batch.map(({ item }) => item))
      for (const [place, one] of batch.entries()) one.resolve(answers[place]!)
    } catch (error) {
      for (const one of batch)
        if (isUncertain(error)) one.reject(error)
        else void alone(one.item).then(one.resolve, one.reject)
    }
  }

  const next = async (): Promise<void> => {
    if (free === 0) return
    const batch = take()
    if (batch.length === 0) return
    free--
    await settle(batch)
    free++
    for (const { key } of batch) underWay.delete(key)
    void next()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, key: keyOf(item), resolve, reject })
      void next()
    })
}
