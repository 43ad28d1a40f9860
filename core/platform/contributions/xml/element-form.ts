import type { Report } from './report.js'
import type { XmlPart } from './xml-part.js'

/** How an element of the incumbent becomes the content of a contribution; `{}` for one whose names are ours. */
export type ElementForm = {
  /** The attribute that names the contribution, when it is neither `name` nor `id`. */
  nameAttribute?: string
  /** The name of contributions whose element has none. */
  defaultName?: string
  /** Which elements of the name are meant, when another point has such elements, too. */
  is?(part: XmlPart): boolean
  /** Our keys by the incumbent's names of attributes and elements at any depth; with a dot for a key inside another. */
  keys?: { readonly [name: string]: string }
  /** Attributes and elements without a meaning here. */
  ignored?: readonly string[]
  /** The key that a text inside the element stands for. */
  text?: string
  /** Puts what the incumbent writes in a form of its own into the regular one. */
  rewrite?(part: XmlPart): XmlPart
  /** Reads an element without a regular form. */
  read?(part: XmlPart, report: Report): object
}

export type ElementForms = { readonly [element: string]: ElementForm }

/** What a file of the incumbent may say at an extension point. */
export type ElementClaim = { point: string; elements: ElementForms }

const nameAttributeOf = (part: XmlPart, { nameAttribute }: ElementForm): string | undefined =>
  (nameAttribute === undefined ? ['name', 'id'] : [nameAttribute]).find(
    (attribute) => part.attributes[attribute] !== undefined,
  )

/** The form of an element that contributes to a point; undefined when it is none of the point's. */
export const formOf = (elements: ElementForms, part: XmlPart): ElementForm | undefined => {
  const form = Object.hasOwn(elements, part.name) ? elements[part.name] : undefined
  return form && (form.is?.(part) ?? true) ? form : undefined
}

/** Which contribution an element makes: its name, empty when it says none, and the element without it. */
export const nameOfPart = (part: XmlPart, form: ElementForm): { name: string; rest: XmlPart } => {
  const attribute = nameAttributeOf(part, form)
  if (attribute === undefined) return { name: form.defaultName ?? '', rest: part }
  const { [attribute]: name = '', ...attributes } = part.attributes
  return { name, rest: { ...part, attributes } }
}
