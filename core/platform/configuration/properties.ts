import type { Contributions } from '../contributions/index.js'
import { configurationPoint } from './configuration-point.js'

/** A value that the product asks for: one line in `runtime/configuration/configuration.ts` lists it. */
export type ConfigurationProperty = {
  /** `archivolt.…` */
  name: string
  /** Its names in the reference platform, which contributions may use as well. */
  aliases: readonly string[]
  /** What holds while nobody contributes another, as text. */
  default: string
  description: string
}

export const defineProperty = (property: ConfigurationProperty): ConfigurationProperty => property

const contributed = (contributions: Contributions, { name, aliases }: ConfigurationProperty) => {
  const values = contributions.get(configurationPoint)
  return [name, ...aliases].map((known) => values.get(known)?.value).find((value) => value !== undefined)
}

/** The value of a property: what is contributed under its name, else under an alias, else its default. */
export const propertyText = (contributions: Contributions, property: ConfigurationProperty): string =>
  contributed(contributions, property) ?? property.default

/** Whether a property is `true`, in any case. */
export const isPropertyTrue = (contributions: Contributions, property: ConfigurationProperty): boolean =>
  propertyText(contributions, property).trim().toLowerCase() === 'true'

/** A property with its value; those that only contributions know have neither default nor description. */
export type ListedProperty = {
  name: string
  aliases: readonly string[]
  value: string
  default: string | null
  description: string | null
  isContributed: boolean
}

/** All properties, by name: those that the product knows, then those that only contributions do. */
export const listProperties = (
  contributions: Contributions,
  known: readonly ConfigurationProperty[],
): ListedProperty[] => {
  const names = new Set(known.flatMap(({ name, aliases }) => [name, ...aliases]))
  const byName = (a: ListedProperty, b: ListedProperty): number => (a.name < b.name ? -1 : 1)
  const own = known.map((property) => ({
    ...property,
    value: propertyText(contributions, property),
    isContributed: contributed(contributions, property) !== undefined,
  }))
  const others = [...contributions.get(configurationPoint)]
    .filter(([name]) => !names.has(name))
    .map(([name, { value }]) => ({
      name,
      aliases: [],
      value,
      default: null,
      description: null,
      isContributed: true,
    }))
  return [...own.sort(byName), ...others.sort(byName)]
}
