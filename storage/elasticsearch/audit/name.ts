/** Name of the index of a repository's audit. No index of documents has a dot in its name. */
export const auditIndexOf = (index: string, repository: string): string =>
  `${index}.audit.${repository.toLowerCase()}`
