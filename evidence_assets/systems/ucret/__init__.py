"""UCRET and UCRET-JS: claims verified and questions answered over tables, down to the cell."""
