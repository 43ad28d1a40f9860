export type Cache<Value> = {
  /** The value of a key, made on first use. */
  get(key: string, make: () => Value): Value
  clear(): void
}

/** Keeps the `size` values that were used last. */
export const createCache = <Value>({
  size,
  onEvict = () => {},
}: {
  size: number
  onEvict?: (value: Value) => void
}): Cache<Value> => {
  const values = new Map<string, { value: Value }>()
  return {
    get(key, make) {
      const known = values.get(key)
      const entry = known ?? { value: make() }
      if (known !== undefined) values.delete(key)
      values.set(key, entry)
      if (values.size > size) {
        const [oldest, evicted] = values.entries().next().value!
        values.delete(oldest)
        onEvict(evicted.value)
      }
      return entry.value
    },
    clear() {
      for (const { value } of values.values()) onEvict(value)
      values.clear()
    },
  }
}
