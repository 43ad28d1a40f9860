/** Before the name of a deployed template, where one is expected. */
export const NAMED = 'template:'

/** Whether a text is meant as a template: it names a deployed one, or has the marks of FreeMarker. */
export const isTemplate = (text: string): boolean => text.startsWith(NAMED) || /\$\{|<#/.test(text)

/** Text as a template of FreeMarker that gives it back: its marks are written as values. */
export const quotedForTemplate = (text: string): string =>
  text.replace(/^t(?=emplate:)|\$(?=\{)|<(?=\/?[#@])/g, (mark) => `\${"${mark}"}`)
