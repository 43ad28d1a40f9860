const MAX_LENGTH = 100
const DECLARED = /<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/g

/**
 * The entities of a document type that stand for a short plain text, as drawing programs write them for the addresses of
 * namespaces. External ones and those that contain others are left out: a document that names one is refused.
 */
export const declaredEntities = (doctype: string): { [name: string]: string } =>
  Object.fromEntries(
    [...doctype.matchAll(DECLARED)].flatMap(([, name, double, single]) => {
      const value = double ?? single ?? ''
      return name === undefined || value.length > MAX_LENGTH || /[<&%]/.test(value) ? [] : [[name, value]]
    }),
  )
