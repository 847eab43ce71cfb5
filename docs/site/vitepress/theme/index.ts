/** The default theme without its web font, which browsers would load for text that system fonts show as well. */
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
