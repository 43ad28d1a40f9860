import { type ElementForms, newPart, withChildren, type XmlPart } from '../../platform/contributions/index.js'

/** A state holds nothing but the names of the transitions that leave it. */
const stateOf = (state: XmlPart): XmlPart =>
  newPart('state', state, {
    attributes: { name: state.attributes.name ?? '' },
    children: state.children.flatMap(({ name, children }) => (name === 'transitions' ? children : [])),
  })

const initialOf = (part: XmlPart): string | undefined =>
  part.children
    .flatMap(({ name, children }) => (name === 'states' ? children : []))
    .find(({ attributes }) => attributes.initial === 'true')?.attributes.name

export const lifecycleElements: ElementForms = {
  lifecycle: {
    keys: { defaultInitial: 'initial', destinationState: 'to' },
    ignored: ['lifecyclemanager'],
    rewrite: (part) => {
      const initial = part.attributes.defaultInitial ?? initialOf(part)
      const regular = withChildren(part, (child) =>
        child.name === 'states' ? withChildren(child, stateOf) : child,
      )
      return initial === undefined ? regular : { ...regular, attributes: { ...part.attributes, initial } }
    },
  },
}
