export type { Calendar } from './calendar.js'
export { findingsOfSchedule, type Schedulable } from './check-schedule.js'
export { type Firing, planScheduled, tellScheduled } from './fire.js'
export { type Schedule, schedulesPoint, schedulesRegistry } from './schedules-point.js'
