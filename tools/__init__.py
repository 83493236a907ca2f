"""What makes the files in ``assets``: for those who change a problem or its picture."""
