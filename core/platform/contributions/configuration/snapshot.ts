import { fail } from '../../errors/index.js'
import type { Contributions } from './merge-contributions.js'

/**
 * What a module derives from contributions. The module exports the definition; it is listed once, in the
 * platform's configuration, and read as `session.snapshot.get(definition)`.
 *
 * @property build called once for each snapshot. It must neither keep state nor do I/O, and throws `invalid`
 * for contributions that do not fit together: deploying them is then refused. Registries of other modules
 * are in the snapshot if their definitions are listed before it.
 */
export type RegistryDefinition<Registry> = {
  name: string
  build(contributions: Contributions, snapshot: Pick<Snapshot, 'get'>): Registry
}

export const defineRegistry = <Registry>(
  definition: RegistryDefinition<Registry>,
): RegistryDefinition<Registry> => definition

/**
 * All that is configured and deployed at one moment. Immutable: a session keeps the one that it started with,
 * and a deployment creates another.
 */
export type Snapshot = {
  contributions: Contributions
  /** A module's registry. @throws internal when its definition is not listed. */
  get<Registry>(definition: RegistryDefinition<Registry>): Registry
}

/** @throws invalid as the definitions do. */
export const buildSnapshot = (
  contributions: Contributions,
  definitions: readonly RegistryDefinition<unknown>[],
): Snapshot => {
  const built = new Map<RegistryDefinition<unknown>, unknown>()
  const get = <Registry>(definition: RegistryDefinition<Registry>): Registry => {
    if (!built.has(definition)) throw fail('internal', `The registry ${definition.name} is not listed`)
    // Only the definition's own `build` puts a value under it.
    return built.get(definition) as Registry
  }
  for (const definition of definitions) built.set(definition, definition.build(contributions, { get }))
  return { contributions, get }
}
