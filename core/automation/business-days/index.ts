export { type BusinessDays, businessDaysRegistry } from './business-days.js'
export { durationsPoint } from './durations-point.js'
export { holidayCalendarsPoint } from './holiday-calendars-point.js'
