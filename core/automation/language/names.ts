/** Things of the configuration that chains, handlers and queries name. */
export type NamedThing =
  | 'documentType'
  | 'facet'
  | 'lifecycleState'
  | 'transition'
  | 'permission'
  | 'directory'
  | 'pageProvider'
  | 'converter'
  | 'template'
  | 'duration'

/**
 * The xpath of a property: of any, or of one that holds a single value, a list of those, or files; `queryField` is one of
 * a query, where those of the system (`ecm:uuid`) are known, too.
 */
export type NamedProperty = 'property' | 'singleProperty' | 'listProperty' | 'fileProperty' | 'queryField'

/** What a text names, where a parameter or a field of a contribution says so. */
export type NameKind = NamedThing | NamedProperty
