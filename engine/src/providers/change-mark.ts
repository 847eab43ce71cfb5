/** The start of the comment on a line with an example value, which a user must edit. */
export const changeMark = '# CHANGE ME:';
