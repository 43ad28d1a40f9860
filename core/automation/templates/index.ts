export { isTemplate, quotedForTemplate } from './notation.js'
export { type Rendering, renderTemplate } from './render.js'
export { templatesPoint } from './templates-point.js'
