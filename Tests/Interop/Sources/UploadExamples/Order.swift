package import MultipartFormCodec

/// An order that a client uploads as a form.
package struct Order: Codable, Sendable {
    /// An article and how many of it.
    package struct Item: Codable, Hashable, Sendable {
        /// The article's name.
        package var article: String
        /// How many of it.
        package var quantity: Int

        /// Creates an item.
        package init(article: String, quantity: Int) {
            self.article = article
            self.quantity = quantity
        }
    }

    /// Who orders.
    package var customer: String
    /// Whether it is sent at once.
    package var isUrgent: Bool
    /// What is ordered.
    package var items: [Item]
    /// The drawing to make the articles by.
    package var drawing: FormFile
    /// A photo of the place.
    package var photo: FormFile?

    /// Creates an order.
    package init(customer: String, isUrgent: Bool, items: [Item], drawing: FormFile, photo: FormFile? = nil) {
        self.customer = customer
        self.isUrgent = isUrgent
        self.items = items
        self.drawing = drawing
        self.photo = photo
    }
}

/// An order as a server has read it.
package struct OrderReceipt: Codable, Hashable, Sendable {
    /// Who orders.
    package var customer: String
    /// Whether it is sent at once.
    package var isUrgent: Bool
    /// What is ordered.
    package var items: [Order.Item]
    /// The file `drawing`.
    package var drawing: PartReceipt
    /// The file `photo`; nil if none was sent.
    package var photo: PartReceipt?

    /// Describes an order, after reading its files.
    ///
    /// - Parameter order: The order.
    /// - Throws: ``MultipartError`` if a file cannot be read.
    package init(_ order: Order) throws {
        customer = order.customer
        isUrgent = order.isUrgent
        items = order.items
        drawing = try PartReceipt(order.drawing.part)
        photo = try order.photo.map { try PartReceipt($0.part) }
    }
}
