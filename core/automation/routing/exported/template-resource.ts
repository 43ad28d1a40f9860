import type { ElementForm } from '../../../platform/contributions/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { exportedDocument } from './properties.js'
import { modelOf } from './read-export.js'

/**
 * `<template-resource id>` of the incumbent's `routeModelImporter` (workflow-audit.md §2, Models). There it names an
 * archive of its bundle; no file comes with a component, so the `<document>` elements of the export stand inside.
 */
export const templateResource: ElementForm = {
  nameAttribute: 'id',
  read: ({ children, at }, report) => {
    const documents = children.filter(({ name }) => name === 'document')
    for (const child of children)
      if (child.name !== 'document')
        report('', child.at, `unexpected <${child.name}>; expected the <document> elements of an export`)
    if (documents.length === 0) {
      const message = 'expected the <document> elements of an export: its path names no file of this server.'
      report('path', at, `${message} An archive is deployed by POST /api/v1/workflowModel`)
      return {}
    }
    try {
      return modelOf(documents.map(exportedDocument)).model
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      report('', at, error.message)
      return {}
    }
  },
}
