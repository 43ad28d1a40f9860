import type { z } from 'zod'
import type { ErrorDetail } from '../errors/index.js'
import type { ElementForms } from './xml/element-form.js'

/**
 * A problem inside one contribution. `value` helps to find the place when `path` has shifted by a
 * merge; `onKey` says that the last step itself is wrong, not its value.
 */
export type Finding = { path: readonly PropertyKey[]; message: string; value?: string; onKey?: boolean }

/** A name in a contribution's content that must exist at an extension point. */
export type Reference = { path: readonly PropertyKey[]; point: string; name: string }

/** A notation besides YAML and JSON. */
export type XmlForm<Content> = {
  /** The content of a text, to be checked like any other; what is wrong with its form is a problem. */
  read(name: string, text: string): { content?: object; problems: readonly ErrorDetail[] }
  write(name: string, content: Content): string
}

/**
 * Where contributions of one kind are gathered.
 *
 * @property point     top-level key in the YAML files, e.g. `schemas`
 * @property name      what a contribution's name must look like; any text when absent
 * @property isSeed    created from it once, at a start, then changed by other calls: nothing is deployed to it
 * @property xml       how the incumbent writes a contribution, for points with a reader and a writer of their own
 * @property elements  the incumbent's elements of other points, which are read by `schema`
 * @property schema    what the content of one contribution must look like. Contributions are checked one by
 *   one before they are merged, so what a later file may leave out is optional here
 * @property merge     joins the content of a later contribution with that of an earlier one of the same name;
 *   `mergeContent` when absent
 * @property references names that must exist elsewhere, read from the merged content
 * @property check     further rules on the merged content, with all contributions of the point
 * @property standIns  substitutes for a deployed contribution that no longer fits, where leaving it out would open
 * what it closes: contents to be tried in turn. The content is as it was deployed, whatever that is
 */
export type ExtensionPoint<S extends z.ZodType = z.ZodType> = {
  point: string
  name?: z.ZodType<string>
  isSeed?: boolean
  xml?: XmlForm<z.output<S>>
  elements?: ElementForms
  schema: S
  merge?(earlier: unknown, later: unknown): unknown
  references?(content: z.output<S>): Reference[]
  check?(content: z.output<S>, context: { name: string; all: ReadonlyMap<string, z.output<S>> }): Finding[]
  standIns?(deployed: unknown): readonly object[]
}

/** Declares an extension point; the module that acts on the contributions owns the declaration. */
export const defineExtensionPoint = <S extends z.ZodType>(point: ExtensionPoint<S>): ExtensionPoint<S> =>
  point
